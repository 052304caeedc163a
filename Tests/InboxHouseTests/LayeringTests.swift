import Testing

@Suite("The layering of the house")
struct LayeringTests {
    @Test("No file imports what its room may not")
    func imports() throws {
        let files = try Checkout.files(in: "Sources", endingIn: [".swift"])
        #expect(files.count >= 8)
        let violations = try files.flatMap { Layering.violations(in: try Checkout.text($0), path: $0) }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }

    @Test("Every folder of Sources is a room of the table, and every room is there")
    func rooms() throws {
        #expect(try Checkout.names(in: "Sources") == Layering.table.map(\.room).sorted())
    }

    @Test("The table never points from a lower room to a higher one")
    func table() {
        let rooms = Layering.table.map(\.room)
        for (height, row) in Layering.table.enumerated() {
            let higher = Set(rooms[height...])
            #expect(row.mayImport.isDisjoint(with: higher), "\(row.room) reaches up")
        }
    }

    @Test(
        "The checker sees a forbidden import, however it is written",
        arguments: [
            "import Foundation", "  @preconcurrency import Foundation", "public import Foundation",
            "@_exported import Foundation", "import struct Foundation.Data", "let a = 1; import Foundation",
            "/* why */ import Foundation", "import Foundation // needed", "internal import class Foundation.NSString",
            "let text = \"//\"\nimport Foundation", "#if os(Linux)\nimport Foundation\n#endif",
        ])
    func violation(_ source: String) {
        for (room, _) in Layering.table {
            let found = Layering.violations(in: source, path: "Sources/\(room)/Bad.swift")
            #expect(found == ["Sources/\(room)/Bad.swift: \(room) may not import Foundation"])
        }
    }

    @Test("The checker holds each room to its own row")
    func rows() {
        #expect(Layering.violations(in: "import Glibc", path: "Sources/InboxLinux/A.swift").isEmpty)
        #expect(Layering.violations(in: "import Glibc", path: "Sources/InboxCore/A.swift").count == 1)
        #expect(Layering.violations(in: "import InboxDaemon", path: "Sources/inboxd/main.swift").isEmpty)
        #expect(Layering.violations(in: "import InboxDaemon", path: "Sources/inboxctl/main.swift").count == 1)
        #expect(Layering.violations(in: "import InboxCore", path: "Sources/InboxDetection/A.swift").count == 1)
        #expect(Layering.violations(in: "import CInboxLinux", path: "Sources/InboxCore/A.swift").count == 1)
        #expect(Layering.violations(in: "", path: "Sources/Attic/A.swift").count == 1)
    }

    @Test(
        "The checker is not misled by comments and strings",
        arguments: [
            "// import Foundation", "/* import Foundation\n/* nested */ import Foundation */",
            "let a = \"\"\"\nimport Foundation\n\"\"\"", "let b = \"\\\"; import Foundation\"", "important(Foundation)",
            "import FoundationEssentials",
        ])
    func noViolation(_ source: String) {
        #expect(Layering.violations(in: source, path: "Sources/InboxVarlink/Good.swift").isEmpty)
    }
}
