/// The database's MIME types by number, with their aliases and superclasses.
///
/// Shared MIME-info Database specification, sections "The files' formats" and "Subclassing".
struct MIMERelations: ~Copyable, Sendable {
    /// All MIME types and aliases.
    private(set) var names = NameArena()
    /// What an alias stands for; itself where it stands for nothing else.
    private var canonicalOf: [Int32] = []
    /// Pairs of a MIME type and its superclass, sorted by the first.
    private var superclasses: [(child: Int32, parent: Int32)] = []

    /// Which MIME types are subclasses of text/plain.
    private var textual: [Bool] = []

    let plainText: Int32
    let octetStream: Int32

    init() {
        plainText = names.add("text/plain".utf8)
        octetStream = names.add("application/octet-stream".utf8)
        canonicalOf = [plainText, octetStream]
    }

    /// The number of a MIME type, added where it is new. MIME types are told apart as the files spell them.
    mutating func number(_ name: some Collection<UInt8>) -> Int32 {
        let number = names.add(name)
        if Int(number) >= canonicalOf.count { canonicalOf.append(number) }
        return number
    }

    /// The number of a MIME type that the database names, less its alias; nil where it does not.
    func known(_ name: some Collection<UInt8>) -> Int32? {
        names.find(name).map { canonicalOf[Int($0)] }
    }

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
        for index in 0..<Int32(clamping: names.count) where names.name(index).map(ASCII.lower) == wanted {
            return canonicalOf[Int(index)]
        }
        return nil
    }

    func canonical(_ number: Int32) -> Int32 { canonicalOf[Int(number)] }

    func text(_ number: Int32) -> String { names.text(number) }

    /// Reads an `aliases` file: an alias and its MIME type a line. What an earlier folder said stays.
    mutating func readAliases(_ file: [UInt8]) {
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2 else { continue }
            let alias = number(words[0])
            let target = number(words[1])
            if canonicalOf[Int(alias)] == alias, canonicalOf[Int(target)] == target { canonicalOf[Int(alias)] = target }
        }
    }

    /// Reads a `subclasses` file: a MIME type and its superclass a line.
    mutating func readSubclasses(_ file: [UInt8]) {
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2 else { continue }
            superclasses.append((number(words[0]), number(words[1])))
        }
    }

    /// Adds what the built-in table knows.
    mutating func add(_ child: String, subclassOf parent: String) {
        superclasses.append((number(child.utf8), number(parent.utf8)))
    }

    /// Makes the relations ready to be asked; called once behind the last file.
    mutating func finish() {
        superclasses = superclasses.map { (canonicalOf[Int($0.child)], canonicalOf[Int($0.parent)]) }
        superclasses.sort { $0.child < $1.child }
        textual = canonicalOf.map { isText($0) || $0 == plainText }
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for pair in superclasses where textual[Int(pair.parent)] && !textual[Int(pair.child)] {
                textual[Int(pair.child)] = true
                isGrowing = true
            }
        }
        for index in textual.indices where textual[Int(canonicalOf[index])] { textual[index] = true }
    }

    /// The superclasses that the database names for a MIME type.
    func parents(of number: Int32) -> [Int32] {
        var low = 0
        var high = superclasses.count
        while low < high {
            let middle = (low + high) / 2
            if superclasses[middle].child < number { low = middle + 1 } else { high = middle }
        }
        var found: [Int32] = []
        while low < superclasses.count, superclasses[low].child == number {
            found.append(superclasses[low].parent)
            low += 1
        }
        return found
    }

    /// Whether one is the other or, over any number of steps, a subclass of it.
    ///
    /// Every `text/*` is one of text/plain, and everything but `inode/*` one of application/octet-stream; the latter says
    /// nothing and is left out here.
    func isSubclass(_ child: Int32, of parent: Int32) -> Bool {
        let child = canonical(child)
        let parent = canonical(parent)
        if child == parent { return true }
        if parent == plainText { return Int(child) < textual.count && textual[Int(child)] }
        var seen = [child]
        var next = 0
        // The bound only ends rings in a broken database.
        while next < seen.count, seen.count < 64 {
            for above in parents(of: seen[next]) where !seen.contains(above) {
                if above == parent { return true }
                seen.append(above)
            }
            next += 1
        }
        return false
    }

    private func isText(_ number: Int32) -> Bool {
        names.name(number).starts(with: "text/".utf8)
    }

    /// A MIME type and everything that it is a subclass of.
    func ancestors(of number: Int32) -> Set<Int32> {
        var seen: Set<Int32> = []
        var wave = [canonical(number)]
        while !wave.isEmpty { wave = wave.filter { seen.insert($0).inserted }.flatMap { parents(of: $0) } }
        return seen
    }

    /// How many bytes of memory the tables hold.
    var footprint: Int { names.footprint + 4 * canonicalOf.capacity + 8 * superclasses.capacity }
}
