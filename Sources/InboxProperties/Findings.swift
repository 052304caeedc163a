import InboxDetection
import InboxLinux

/// The properties found in a document so far: of each, the first value that says something.
struct Findings {
    /// Bytes of a title or an author that are kept.
    private static let longest = 1024

    private(set) var properties = DocumentProperties()
    private let wanted: DocumentProperties.Names
    private let name: FileName?
    private let now: Timestamp

    init(wanted: DocumentProperties.Names, name: FileName?, now: Timestamp) {
        self.wanted = wanted
        self.name = name
        self.now = now
    }

    var needsDate: Bool { wanted.contains(.date) && properties.date == nil }
    var needsTitle: Bool { wanted.contains(.title) && properties.title == nil }
    var needsAuthor: Bool { wanted.contains(.author) && properties.author == nil }
    var needsWords: Bool { needsTitle || needsAuthor }
    var isComplete: Bool { !needsDate && !needsWords }

    /// Takes a date, if none was found before and it is plausible.
    mutating func offer(_ date: DocumentDate?, from source: DateSource) {
        guard needsDate, let date, date.isPlausible(now: now) else { return }
        properties.date = date
        properties.dateSource = source
    }

    /// Takes a title, if none was found before and it says something.
    mutating func offer(title: String?) {
        guard needsTitle, let title = title.flatMap(Self.trimmed), !UselessWords.isTitle(title, of: name) else {
            return
        }
        properties.title = title
    }

    /// Takes an author, if none was found before and it says something.
    mutating func offer(author: String?) {
        guard needsAuthor, let author = author.flatMap(Self.trimmed), !UselessWords.isAuthor(author) else { return }
        properties.author = author
    }

    /// A text with single blanks for all white space, without what no screen shows, and not too long.
    private static func trimmed(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        var isBlank = false
        var length = 0
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F {
                isBlank = true
                continue
            }
            // What stands for bytes that are no text, and marks of byte order, are nothing that was meant.
            guard scalar.value != 0xFFFD, scalar.value != 0xFEFF else { continue }
            if isBlank, !scalars.isEmpty { scalars.append(" ") }
            isBlank = false
            scalars.append(scalar)
            length += 4
            guard length < longest * 4 else { break }
        }
        return scalars.isEmpty ? nil : String(scalars)
    }
}
