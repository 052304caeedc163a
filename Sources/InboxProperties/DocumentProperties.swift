/// Where a document's date is from, by the name that the contract gives it.
package enum DateSource: String, Sendable, Hashable, CaseIterable {
    case exif, xmp, pdf, office, odf, epub, mail, quicktime, matroska, id3, vorbis, mp4, name, modified, arrival
    /// A check has said it.
    case check
}

/// The properties that a document states of itself.
package struct DocumentProperties: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var date: DocumentDate?
        var dateSource: DateSource?
        var title: String?
        var author: String?
    }

    /// Of most documents nothing is asked, and these are copied with all that is known of one: so there is nothing to copy
    /// where none is known.
    private indirect enum Storage: Sendable, Hashable {
        case none
        case some(Values)
    }

    private var storage = Storage.none

    private var values: Values {
        get { if case .some(let values) = storage { values } else { Values() } }
        set { storage = newValue == Values() ? .none : .some(newValue) }
    }

    /// The first plausible date that the content has.
    package var date: DocumentDate? {
        get { if case .some(let values) = storage { values.date } else { nil } }
        set { values.date = newValue }
    }

    /// Where `date` is from; has a value where `date` has one.
    package var dateSource: DateSource? {
        get { if case .some(let values) = storage { values.dateSource } else { nil } }
        set { values.dateSource = newValue }
    }

    /// The title; nil where there is none, or one that says nothing.
    package var title: String? {
        get { if case .some(let values) = storage { values.title } else { nil } }
        set { values.title = newValue }
    }

    /// The author, of several the first.
    package var author: String? {
        get { if case .some(let values) = storage { values.author } else { nil } }
        set { values.author = newValue }
    }

    /// No properties.
    package init() {}

    /// Properties of these values.
    package init(
        date: DocumentDate? = nil, dateSource: DateSource? = nil, title: String? = nil, author: String? = nil
    ) {
        values = Values(date: date, dateSource: dateSource, title: title, author: author)
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
