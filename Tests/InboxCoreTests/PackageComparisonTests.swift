import InboxFiling
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

@Suite("Comparing a claimed package with its copy")
struct PackageComparisonTests {
    private func isCopied(_ package: [String: String], to copy: [String: String]) throws -> Bool {
        let folders = try [package, copy].map { files in
            let folder = try TemporaryFolder()
            folder.makeFolder("in")
            for (name, content) in files { try folder.write(name, content) }
            return folder
        }
        var comparison = PackageComparison(with: OpenFolder(try folders[1].open()), Abandonment())
        return try comparison.hasAll(of: folders[0].open())
    }

    @Test("A copy has all of it with the same content, whatever else it has")
    func all() throws {
        let whole = ["a": "1", "in/b": "2"]
        #expect(try isCopied(whole, to: whole))
        #expect(try isCopied(["in/b": "2"], to: whole))
        #expect(try !isCopied(whole, to: ["a": "1"]))
        #expect(try !isCopied(whole, to: ["a": "1", "in/b": "3"]))
    }

    @Test("An entry that its removal has set aside is compared with the one that it was, and with one of its own name")
    func setAside() throws {
        let aside = ".inboxd-removed-a"
        #expect(try isCopied([aside: "1"], to: ["a": "1"]))
        #expect(try !isCopied([aside: "1"], to: ["a": "2"]))
        let both = [aside: "1", "a": "2"]
        #expect(try isCopied(both, to: both))
    }

    #if DEBUG
        @Test("What may not be opened is no copy, and a package of the daemon's own that may not be is no difference")
        func closed() async {
            await #expect(processExitsWith: .success) {
                let folders = try (0..<2).map { _ in
                    let folder = try TemporaryFolder()
                    try folder.write("a", "1")
                    return folder
                }
                let opened = try folders.map { OpenFolder(try $0.open()) }
                func isCopied(closing place: TemporaryFolder) throws(SyscallError) -> Bool {
                    FaultPlan.arm(
                        [SystemCall.openat, .openat2].map { call in
                            FaultPlan(at: .every, action: .fail(.denied), only: call, part: place.path + "/a")
                        })
                    defer { FaultPlan.disarm() }
                    var comparison = PackageComparison(with: opened[1], Abandonment())
                    return try comparison.hasAll(of: opened[0].directory.folder(beneath: []))
                }
                #expect(try !isCopied(closing: folders[1]))
                #expect(throws: SyscallError(.openat, .denied)) { try isCopied(closing: folders[0]) }
            }
        }
    #endif
}
