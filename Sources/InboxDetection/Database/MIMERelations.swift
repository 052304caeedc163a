/// The database's MIME types by number, with their aliases and superclasses.
///
/// Shared MIME-info Database specification, sections "The files' formats" and "Subclassing".
struct MIMERelations: ~Copyable, Sendable {
    /// The names that relations have, as long as files are read.
    private var arena = NameArena(expectedCount: 1024)
    /// All MIME types and aliases, once the files are read.
    private(set) var names = MIMENames(NameArena(expectedCount: 0), countOfFiles: 0) { _ in }
    /// The name that each name is an alias of; the name itself if it is no alias. Names beyond the end are no
    /// aliases.
    private var canonicalOf: [Int32] = []
    /// Pairs of a MIME type and its superclass as they were read; of canonical names once all are known.
    private var superclasses: [(child: Int32, parent: Int32)] = []
    /// The superclasses by MIME type: those of number n are `parents[firstParent[n]..<firstParent[n + 1]]`.
    private var firstParent: [Int32] = []
    private var parents: [Int32] = []

    /// Which of the related MIME types are subclasses of text/plain; as long as files are read, which are `text/*`.
    private var textual: [Bool] = []

    /// The numbers of text/plain and application/octet-stream.
    let plainText: Int32 = 0
    let octetStream: Int32 = 1

    init() {
        canonicalOf.reserveCapacity(1024)
        textual.reserveCapacity(1024)
        _ = number(Bytes("text/plain"))
        _ = number(Bytes("application/octet-stream"))
    }

    /// The number of a name that is related to another, added where it is new.
    private mutating func number(_ name: Bytes) -> Int32 {
        let number = arena.add(name)
        if Int(number) >= canonicalOf.count {
            canonicalOf.append(number)
            textual.append(Self.isText(name))
        }
        return number
    }

    /// The number of a MIME type that the database names, less its alias; nil where it does not.
    func known(_ name: some Collection<UInt8>) -> Int32? { names.find(name).map { canonical($0) } }

    /// The aliases of a MIME type.
    func aliases(of number: Int32) -> [Int32] {
        canonicalOf.indices.filter { canonicalOf[$0] == number && Int(number) != $0 }.map { Int32(clamping: $0) }
    }

    /// As `known`, with ASCII letters equal in either case.
    func known(anyCase name: [UInt8]) -> Int32? {
        if let exact = known(name) { return exact }
        let wanted = name.map(ASCII.lower)
        if let lowered = known(wanted) { return lowered }
        // Few names have capitals, and few ask for one in another spelling.
        return names.find(loweredTo: wanted).map { canonical($0) }
    }

    func canonical(_ number: Int32) -> Int32 {
        Int(number) < canonicalOf.count ? canonicalOf[Int(number)] : number
    }

    func text(_ number: Int32) -> String { names.text(number) }

    /// Reads an `aliases` file: an alias and its MIME type a line. What an earlier folder said stays.
    mutating func readAliases(_ file: [UInt8]) {
        readPairs(file) { relations, alias, target in
            if relations.canonicalOf[Int(alias)] == alias, relations.canonicalOf[Int(target)] == target {
                relations.canonicalOf[Int(alias)] = target
            }
        }
    }

    /// Reads a `subclasses` file: a MIME type and its superclass a line.
    mutating func readSubclasses(_ file: [UInt8]) {
        superclasses.reserveCapacity(superclasses.count + file.count / 32)
        readPairs(file) { relations, child, parent in relations.superclasses.append((child, parent)) }
    }

    private mutating func readPairs(_ file: [UInt8], _ body: (inout MIMERelations, Int32, Int32) -> Void) {
        file.withUnsafeBytes { file in
            let file = Bytes(file)
            var start = 0
            while start < file.count {
                let (word, blank) = (start, file.endOfField(from: start, separator: 0x20))
                guard file[blank] == 0x20 else {
                    start = blank + 1
                    continue
                }
                let end = file.endOfField(from: blank + 1, separator: 0x20)
                start = file[end] == 0x20 ? (file.index(of: 0x0A, from: end) ?? file.count) + 1 : end + 1
                // Two words, of which neither is empty.
                guard file[word] != UInt8(ascii: "#"), blank > word, end > blank + 1, file[end] != 0x20 else {
                    continue
                }
                let first = number(file[word..<blank])
                body(&self, first, number(file[(blank + 1)..<end]))
            }
        }
    }

    /// Prepares the relations for queries; called once after the last file.
    /// - Parameters:
    ///   - formats: The built-in table.
    ///   - addOthers: Adds the names that no relation has, when one of them is looked up.
    mutating func finish(
        adding formats: FormatTable? = nil, addOthers: @escaping @Sendable (inout NameArena) -> Void = { _ in }
    ) {
        let countOfFiles = arena.count
        if let formats {
            for format in formats.formats {
                guard let superclass = format.superclass else { continue }
                let child = number(format.mimeWord.bytes)
                superclasses.append((child, number(superclass)))
            }
        }
        var filled = NameArena(expectedCount: 0)
        swap(&arena, &filled)
        names = MIMENames(filled, countOfFiles: countOfFiles, addOthers: addOthers)
        for index in superclasses.indices {
            let pair = superclasses[index]
            superclasses[index] = (canonicalOf[Int(pair.child)], canonicalOf[Int(pair.parent)])
        }
        indexParents()
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for pair in superclasses where textual[Int(pair.parent)] && !textual[Int(pair.child)] {
                textual[Int(pair.child)] = true
                isGrowing = true
            }
        }
        for index in textual.indices where textual[Int(canonicalOf[index])] { textual[index] = true }
        superclasses = []
    }

    /// Orders the superclasses by MIME type, those of one in the order in which they were read.
    private mutating func indexParents() {
        firstParent = [Int32](repeating: 0, count: canonicalOf.count + 1)
        for pair in superclasses { firstParent[Int(pair.child) + 1] += 1 }
        for index in canonicalOf.indices { firstParent[index + 1] += firstParent[index] }
        parents = [Int32](repeating: 0, count: superclasses.count)
        var next = firstParent
        for pair in superclasses {
            parents[Int(next[Int(pair.child)])] = pair.parent
            next[Int(pair.child)] += 1
        }
    }

    /// The superclasses that the database names for a MIME type.
    func parents(of number: Int32) -> ArraySlice<Int32> {
        let number = Int(number)
        guard number + 1 < firstParent.count else { return [] }
        return parents[Int(firstParent[number])..<Int(firstParent[number + 1])]
    }

    /// The MIME types that the database has as special cases of one.
    func children(of number: Int32) -> [Int32] {
        var (children, child) = ([Int32](), 0)
        for (place, parent) in parents.enumerated() where parent == number {
            while firstParent[child + 1] <= place { child += 1 }
            children.append(Int32(clamping: child))
        }
        return children
    }

    /// Returns whether one is the other or, over any number of steps, a subclass of it.
    ///
    /// Every `text/*` is one of text/plain, and everything but `inode/*` one of application/octet-stream; the latter
    /// says nothing and is left out here.
    func isSubclass(_ child: Int32, of parent: Int32) -> Bool {
        let child = canonical(child)
        let parent = canonical(parent)
        if child == parent { return true }
        if parent == plainText {
            return Int(child) < textual.count ? textual[Int(child)] : names.withName(child, Self.isText)
        }
        let above = parents(of: child)
        if above.contains(parent) { return true }
        // Most have no superclass, or one that has none: then nothing needs to be remembered.
        if above.allSatisfy({ parents(of: $0).isEmpty }) { return false }
        return lineage(of: child).contains(parent)
    }

    /// A MIME type and all that it is a subclass of, the nearest first; text/plain only where the database names it.
    func lineage(of number: Int32) -> [Int32] {
        var seen = [canonical(number)]
        var next = 0
        // The bound only ends rings in a broken database.
        while next < seen.count, seen.count < 64 {
            for above in parents(of: seen[next]) where !seen.contains(above) { seen.append(above) }
            next += 1
        }
        return seen
    }

    private static func isText(_ name: Bytes) -> Bool { name.has("text/") }
}
