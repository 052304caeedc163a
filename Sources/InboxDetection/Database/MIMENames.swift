import InboxLinux

/// The database's MIME types and aliases by number. Spellings that differ in case are different names.
///
/// Those that aliases and superclasses name are numbered when these files are read. All others are numbered when a name
/// is asked for that is not among the first: `inboxctl type` seldom asks for one, and numbering them would be most of
/// what it does.
final class MIMENames: Sendable {
    /// So that they can be made when they are asked for.
    private final class Others: Sendable {
        let names: NameArena

        init(_ add: (inout NameArena) -> Void) {
            var names = NameArena(expectedCount: 1536)
            add(&names)
            self.names = names
        }
    }

    private let related: NameArena
    /// The number of related names that the database's own files contain.
    private let countOfFiles: Int
    /// All names that the other files have, some of the related ones among them; their numbers follow the related ones'.
    private let others: Once<Others>

    /// The related names, of which the first `countOfFiles` are the database's, and a function that adds all others.
    init(
        _ related: consuming NameArena, countOfFiles: Int, addOthers: @escaping @Sendable (inout NameArena) -> Void
    ) {
        self.related = related
        self.countOfFiles = countOfFiles
        others = Once { Others(addOthers) }
    }

    /// The number of numbered names.
    var count: Int { related.count + others.value.names.count }

    /// The number of a name; nil where the database does not have it.
    func find(_ name: some Collection<UInt8>) -> Int32? { NameArena.withBytes(of: name) { find($0) } }

    /// As `find`, for a window.
    func find(_ name: Bytes) -> Int32? {
        if let number = related.find(name) { return number }
        return others.value.names.find(name).map { Int32(clamping: related.count) + $0 }
    }

    /// The number of a name that is related to another; nil for all others.
    func findRelated(_ name: some Collection<UInt8>) -> Int32? { related.find(name) }

    /// The first of the names that are equal to one in small letters but for the case of ASCII letters.
    func find(loweredTo lowered: [UInt8]) -> Int32? {
        for number in 0..<Int32(clamping: countOfFiles)
        where related.withName(number, { $0.isEqual(loweredTo: lowered) }) {
            return number
        }
        let others = others.value
        for number in 0..<Int32(clamping: others.names.count)
        where others.names.withName(number, { $0.isEqual(loweredTo: lowered) }) {
            return others.names.withName(number) { find($0) }
        }
        return nil
    }

    /// The name of a number.
    func name(_ number: Int32) -> ArraySlice<UInt8> {
        let index = Int(number) - related.count
        return index < 0 ? related.name(number) : others.value.names.name(Int32(clamping: index))
    }

    /// Lends the name of a number.
    func withName<Result>(_ number: Int32, _ body: (Bytes) -> Result) -> Result {
        let index = Int(number) - related.count
        if index < 0 { return related.withName(number, body) }
        return others.value.names.withName(Int32(clamping: index), body)
    }

    /// The name as text.
    func text(_ number: Int32) -> String { String(decoding: name(number), as: UTF8.self) }
}
