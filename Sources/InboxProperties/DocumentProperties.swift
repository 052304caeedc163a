/// Where a document's date is from, by the name that the contract gives it.
package enum DateSource: String, Sendable, Hashable, CaseIterable {
    case exif, xmp, pdf, office, odf, epub, mail, quicktime, matroska, id3, vorbis, mp4, name, modified, arrival
    /// A check has said it.
    case check
}

/// The properties that a document states of itself.
package struct DocumentProperties: Sendable, Hashable {
    /// The first plausible date that the content has.
    package var date: DocumentDate?
    /// Where `date` is from; has a value where `date` has one.
    package var dateSource: DateSource?
    /// The title; nil where there is none, or one that says nothing.
    package var title: String?
    /// The author, of several the first.
    package var author: String?

    /// Properties of these values.
    package init(
        date: DocumentDate? = nil, dateSource: DateSource? = nil, title: String? = nil, author: String? = nil
    ) {
        self.date = date
        self.dateSource = dateSource
        self.title = title
        self.author = author
    }

    /// Which properties are asked for: no others are searched for.
    package struct Names: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let date = Names(rawValue: 1)
        package static let title = Names(rawValue: 2)
        package static let author = Names(rawValue: 4)
        package static let all: Names = [.date, .title, .author]
    }
}
