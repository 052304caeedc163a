import UniformTypeIdentifiers

/// Looking types up and comparing them, which the way of every document does.
struct TypesSubject: Subject {
    let name = "types"
    let what = "looking types up and comparing them, a call each"

    private let extensions = [
        "pdf", "jpg", "docx", "txt", "mp4", "zip", "odt", "html", "heic", "png", "7z", "csv", "epub", "tar", "JPEG",
        "gz",
    ]
    private let identifiers = [
        "com.adobe.pdf", "public.jpeg", "org.openxmlformats.wordprocessingml.document", "public.plain-text",
        "public.mpeg-4", "public.zip-archive", "org.oasis-open.opendocument.text", "public.html", "public.heic",
        "public.png", "org.7-zip.7-zip-archive", "public.comma-separated-values-text", "org.idpf.epub-container",
        "public.tar-archive", "com.compuserve.gif", "org.gnu.gnu-zip-archive",
    ]

    func measure(_ bench: Bench) -> Findings {
        // First of all: the catalogue is read on first use, and only that one is cold.
        let cold = once { UTType("public.jpeg") == nil ? 0 : 1 }
        // About the length of the embedded text.
        let scan = nanoseconds(calls: 1) { scanned(60_000) }
        return Findings(
            measurements: [
                Self.row("catalogue ready, cold", cold, "adding up 60 KB", scan, most: 1_000_000),
                declaring(floor: scan),
            ] + lookups() + [conformance(), withOwnTypes()])
    }

    private static func row(
        _ what: String, _ value: Double, _ floorName: String, _ floor: Double, most: Double?
    ) -> Measurement {
        Measurement(
            what, Samples(value), floor: (floorName, Samples(floor)), goal: most.map { .figure($0) })
    }

    private func declaring(floor: Double) -> Measurement {
        // Without any declaration the built-in catalogue would be taken as it is, and nothing be built.
        let value = nanoseconds(calls: 1) {
            (try? UTType.declare([Self.own]))?.count ?? 1
        }
        _ = try? UTType.declare([])
        return Self.row("a declaration put in force", value, "adding up 60 KB", floor, most: nil)
    }

    /// Adds up some bytes of memory.
    private func scanned(_ count: Int) -> Int {
        let bytes = [UInt8](repeating: 7, count: count)
        return bytes.reduce(0) { $0 &+ Int($1) }
    }

    private func lookups() -> [Measurement] {
        let rounds = 2_000
        let calls = rounds * extensions.count
        func touch(_ texts: [String]) -> Double {
            nanoseconds(calls: calls) {
                var sum = 0
                for _ in 0..<rounds { for text in texts { for byte in text.utf8 { sum = (sum ^ Int(byte)) &* 31 } } }
                return sum
            }
        }
        let byExtension = nanoseconds(calls: calls) {
            var found = 0
            for _ in 0..<rounds { for text in extensions where UTType(filenameExtension: text) != nil { found += 1 } }
            return found
        }
        let byIdentifier = nanoseconds(calls: calls) {
            var found = 0
            for _ in 0..<rounds { for text in identifiers where UTType(text) != nil { found += 1 } }
            return found
        }
        let names = extensions.map { Array($0.utf8) }
        let byBytes = nanoseconds(calls: calls) {
            var found = 0
            for _ in 0..<rounds {
                for name in names where UTType.declared(filenameExtension: name.span) != nil { found += 1 }
            }
            return found
        }
        let floorName = "hashing its bytes"
        let (short, long) = (touch(extensions), touch(identifiers))
        return [
            Self.row("by extension", byExtension, floorName, short, most: 120),
            Self.row("by extension as bytes", byBytes, floorName, short, most: 120),
            Self.row("by identifier", byIdentifier, floorName, long, most: 150),
        ]
    }

    /// The declaration in force while lookups are measured in a catalogue that may be replaced.
    private static let own = UTTypeDeclaration(
        identifier: "com.example.own", conformsTo: ["public.data"], tags: [.filenameExtension: ["own"]])

    private func withOwnTypes() -> Measurement {
        let declared = (try? UTType.declare([Self.own])) != nil
        defer { _ = try? UTType.declare([]) }
        let calls = 100_000
        let value = nanoseconds(calls: calls) {
            var found = declared ? 0 : 1
            for _ in 0..<calls where UTType(filenameExtension: "own") != nil { found += 1 }
            return found
        }
        let builtIn = nanoseconds(calls: calls) {
            var found = 0
            for _ in 0..<calls where UTType(filenameExtension: "pdf") != nil { found += 1 }
            return found
        }
        return Self.row("by extension, own type", value, "a built-in type", builtIn, most: 120)
    }

    /// Beside an allocation: what is faster than one cannot contain one.
    private func conformance() -> Measurement {
        let rounds = 50_000
        let calls = rounds * 8
        // In locals: what an array costs to walk is not the subject.
        let (pdf, jpeg, zip, epub) = (UTType.pdf, UTType.jpeg, UTType.zip, UTType.epub)
        let (image, text, archive) = (UTType.image, UTType.text, UTType.archive)
        let value = nanoseconds(calls: calls) {
            var count = 0
            for _ in 0..<rounds {
                if pdf.conforms(to: image) { count += 1 }
                if jpeg.conforms(to: image) { count += 1 }
                if zip.conforms(to: archive) { count += 1 }
                if epub.conforms(to: text) { count += 1 }
                if pdf.conforms(to: pdf) { count += 1 }
                if jpeg.conforms(to: archive) { count += 1 }
                if zip.conforms(to: text) { count += 1 }
                if epub.conforms(to: epub) { count += 1 }
            }
            return count
        }
        let allocation = nanoseconds(calls: calls) {
            var sum = 0
            for round in 0..<calls {
                let memory = UnsafeMutablePointer<Int>.allocate(capacity: 2)
                memory.initialize(to: round)
                sum &+= opaque(memory).pointee
                memory.deallocate()
            }
            return sum
        }
        return Self.row("conformance", value, "one allocation", allocation, most: 5)
    }

    /// Keeps the optimiser from removing the allocation.
    @inline(never)
    private func opaque(_ memory: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int> { memory }
}
