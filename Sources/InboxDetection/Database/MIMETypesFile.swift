import InboxLinux
import Synchronization

/// `/etc/mime.types`, Apache's list in Debian's edition: a MIME type and its extensions a line.
///
/// The file is as long as the whole database and knows few names more, so it is read when one of these is asked for.
/// The first questions are answered from its lines; who asks more often gets a table.
final class MIMETypesFile: Sendable {
    private let text: Once<[UInt8]>
    private let table: Once<Table>
    private let questions = Atomic<Int>(0)

    /// So many questions are answered without a table: making one takes as long as reading the lines four times.
    private static let patience = 4

    /// A list that is read from this file; nil or a file that cannot be read makes an empty one.
    convenience init(path: BytePath?) {
        self.init { path.flatMap(Self.contents) ?? [] }
    }

    /// A list with this text.
    convenience init(text: [UInt8]) {
        self.init { text }
    }

    private init(_ text: @escaping @Sendable () -> [UInt8]) {
        let text = Once(text)
        self.text = text
        table = Once { Table(text.value) }
    }

    private static func contents(_ path: BytePath) -> [UInt8]? {
        do throws(SyscallError) {
            return try FileDescriptor.reading(path: path).contents(limit: MIMEDatabase.largestFile)
        } catch {
            // The list only fills gaps: without it these names stay unknown.
            return nil
        }
    }

    private var isTableWorthwhile: Bool {
        table.isMade || questions.wrappingAdd(1, ordering: .relaxed).oldValue >= Self.patience
    }

    /// The MIME type of an extension in small letters, without a dot.
    func mime(of fileExtension: some Collection<UInt8>) -> [UInt8]? {
        if isTableWorthwhile { return table.value.mime(of: fileExtension) }
        let lowered = Array(fileExtension)
        return text.value.withUnsafeBytes { MIMETypesLines(Bytes($0)).mime(of: lowered)?.array }
    }

    /// The first extension of a MIME type, in small letters.
    func fileExtension(of mime: some Collection<UInt8>) -> [UInt8]? {
        if isTableWorthwhile { return table.value.fileExtension(of: mime) }
        return Array(mime).withUnsafeBytes { mime in
            text.value.withUnsafeBytes { MIMETypesLines(Bytes($0)).fileExtension(of: Bytes(mime)) }
        }
    }

    /// The file's names.
    private final class Table: Sendable {
        private let extensions: NameArena
        private let mimes: NameArena
        private let mimeOfExtension: [Int32]

        /// Reads the text. The first line that names an extension decides.
        init(_ file: [UInt8]) {
            var extensions = NameArena(expectedCount: file.isEmpty ? 0 : 2048)
            var mimes = NameArena(expectedCount: file.isEmpty ? 0 : 1024)
            var mimeOfExtension: [Int32] = []
            var lowered: [UInt8] = []
            file.withUnsafeBytes { file in
                var lines = MIMETypesLines(Bytes(file))
                while let line = lines.next() {
                    let mime = mimes.add(line.mime)
                    var words = line.extensions
                    while let word = words.next() {
                        word.lower(into: &lowered)
                        if Int(extensions.add(lowered)) == mimeOfExtension.count { mimeOfExtension.append(mime) }
                    }
                }
            }
            self.extensions = extensions
            self.mimes = mimes
            self.mimeOfExtension = mimeOfExtension
        }

        func mime(of fileExtension: some Collection<UInt8>) -> [UInt8]? {
            extensions.find(fileExtension).map { Array(mimes.name(mimeOfExtension[Int($0)])) }
        }

        func fileExtension(of mime: some Collection<UInt8>) -> [UInt8]? {
            guard let number = mimes.find(mime), let index = mimeOfExtension.firstIndex(of: number) else { return nil }
            return Array(extensions.name(Int32(clamping: index)))
        }
    }
}

/// The lines of a `mime.types` that name an extension at least.
struct MIMETypesLines {
    private let text: Bytes
    private var lines: Lines

    init(_ text: Bytes) {
        self.text = text
        lines = Lines(text)
    }

    /// The next MIME type and the words of its extensions.
    mutating func next() -> (mime: Bytes, extensions: Words)? {
        while let line = lines.next() {
            // Most MIME types have no extension: then there is no blank.
            guard line.endOfWord(from: 0) < line.count else { continue }
            var words = Words(line[0..<(line.index(of: UInt8(ascii: "#")) ?? line.count)])
            guard let mime = words.next(), mime.index(of: UInt8(ascii: "/")) != nil else { continue }
            var rest = words
            if rest.next() != nil { return (mime, words) }
        }
        return nil
    }

    /// The MIME type of the first line that names an extension, which is given in small letters.
    func mime(of lowered: [UInt8]) -> Bytes? {
        var lines = MIMETypesLines(text)
        while let line = lines.next() {
            var words = line.extensions
            while let word = words.next() {
                if word.isEqual(loweredTo: lowered) { return line.mime }
            }
        }
        return nil
    }

    /// The first extension of a MIME type of which no line before it has another opinion.
    func fileExtension(of wanted: Bytes) -> [UInt8]? {
        var lines = MIMETypesLines(text)
        var lowered: [UInt8] = []
        while let line = lines.next() {
            guard line.mime.isEqual(to: wanted) else { continue }
            var words = line.extensions
            while let word = words.next() {
                word.lower(into: &lowered)
                if self.mime(of: lowered)?.isEqual(to: wanted) ?? false { return lowered }
            }
        }
        return nil
    }
}
