import InboxConfiguration
import InboxLinux
import InboxProperties

/// A document's date, by the sources that `Dates=` names.
struct DatedDocument {
    let date: DocumentDate
    let source: DateSource

    /// The first plausible date in the order of the sources; nil where none has one.
    init?(_ document: RoutedDocument, by sources: [DateChoice], _ properties: DocumentProperties, now: Timestamp) {
        // What a check has said of the date overrides every source.
        if properties.dateSource == .check, let date = properties.date, date.isPlausible(now: now) {
            self.init(date: date, source: .check)
            return
        }
        for source in sources {
            switch source {
            case .content:
                guard let date = properties.date, date.isPlausible(now: now) else { continue }
                self.init(date: date, source: properties.dateSource ?? .exif)
            case .name:
                guard let date = DocumentDate(inName: document.name, now: now) else { continue }
                self.init(date: date, source: .name)
            case .modified:
                guard let date = DocumentDate(local: document.modified), date.isPlausible(now: now) else { continue }
                self.init(date: date, source: .modified)
            case .arrival:
                guard let date = DocumentDate(local: document.arrival) else { continue }
                self.init(date: date, source: .arrival)
            }
            return
        }
        return nil
    }

    private init(date: DocumentDate, source: DateSource) {
        self.date = date
        self.source = source
    }
}

extension DocumentProperties {
    /// Takes the facts `date`, `title` and `author` over what the content says. A date that cannot be read is left out.
    mutating func take(facts: [String: String]) {
        if let date = facts["date"].flatMap({ DocumentDate(rfc3339: $0) }) { (self.date, dateSource) = (date, .check) }
        if let title = facts["title"], !title.isEmpty { self.title = title }
        if let author = facts["author"], !author.isEmpty { self.author = author }
    }
}

extension DocumentDate {
    /// The bytes of a placeholder that is a part of a date: what the date does not say counts as January, the first, and
    /// midnight. Nil where that is the whole time of day.
    func bytes(of part: TemplatePlaceholder) -> [UInt8]? {
        var bytes: [UInt8] = []
        func add(_ number: Int, _ width: Int = 2) {
            DecimalDigits.append(Int32(clamping: number), width: width, to: &bytes)
        }
        switch part {
        case .year: add(year, 4)
        case .month: add(month ?? 1)
        case .day: add(day ?? 1)
        case .hour: add(hour ?? 0)
        case .minute: add(minute ?? 0)
        case .second: add(second ?? 0)
        case .date:
            add(year, 4)
            bytes.append(UInt8(ascii: "-"))
            add(month ?? 1)
            bytes.append(UInt8(ascii: "-"))
            add(day ?? 1)
        case .time:
            guard let hour else { return nil }
            add(hour)
            add(minute ?? 0)
            add(second ?? 0)
        default: return nil
        }
        return bytes
    }
}
