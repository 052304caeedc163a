import InboxLinux
import Synchronization

/// Finds formats by MIME type, identifier and extension.
///
/// The first questions are answered by going through the formats; who asks more often gets tables. Making these takes
/// longer than all that `inboxctl type` asks about one file.
final class FormatNames: Sendable {
    private let formats: [Format]
    private let tables: Once<Tables>
    private let questions = Atomic<Int>(0)

    /// So many questions are answered without tables.
    private static let patience = 24

    /// Makes nothing yet.
    init(_ formats: [Format]) {
        self.formats = formats
        tables = Once { Tables(formats) }
    }

    private var areTablesWorthwhile: Bool {
        tables.isMade || questions.wrappingAdd(1, ordering: .relaxed).oldValue >= Self.patience
    }

    /// The first format of a MIME type.
    func format(mime: Bytes) -> FormatID? {
        if areTablesWorthwhile { return tables.value.format(mime: mime) }
        return formats.firstIndex { $0.mimeWord.isEqual(to: mime) }.map(FormatID.init(place:))
    }

    /// The first format of an identifier.
    func format(identifier: Bytes) -> FormatID? {
        if areTablesWorthwhile { return tables.value.format(identifier: identifier) }
        return formats.firstIndex { $0.identifierWord?.isEqual(to: identifier) ?? false }.map(FormatID.init(place:))
    }

    /// The formats that have an extension, in their order.
    func claims(ofExtension tag: Bytes) -> [FormatID] {
        if areTablesWorthwhile { return tables.value.claims(ofExtension: tag) }
        return formats.indices.filter { Self.has(formats[$0], tag) }.map(FormatID.init(place:))
    }

    private static func has(_ format: Format, _ tag: Bytes) -> Bool {
        // Most formats have a single extension, of another length.
        guard format.extensionsWord.length > tag.count else {
            // A list is no extension, though a name may end like one: `a.jpg,jpeg`.
            return format.extensionsWord.isEqual(to: tag) && !tag.equals("-") && tag.index(of: UInt8(ascii: ",")) == nil
        }
        var tags = format.extensions
        while let known = tags.next() {
            if known.isEqual(to: tag) { return true }
        }
        return false
    }

    /// The formats by their names.
    private final class Tables: Sendable {
        private let mimes: NameArena
        /// The format of each name in `mimes`.
        private let formatOfMIME: [FormatID]
        private let identifiers: NameArena
        /// The format of each name in `identifiers`.
        private let formatOfIdentifier: [FormatID]
        private let extensions: NameArena
        /// The first claim of each name in `extensions`.
        private let firstClaim: [Int32]
        /// The formats that are kept under an extension, with the next claim of the same extension or -1.
        private let claims: [(format: FormatID, next: Int32)]

        init(_ formats: [Format]) {
            var mimes = NameArena(expectedCount: formats.count)
            var formatOfMIME: [FormatID] = []
            var identifiers = NameArena(expectedCount: 256)
            var formatOfIdentifier: [FormatID] = []
            for place in formats.indices {
                let id = FormatID(place: place)
                if Int(mimes.add(formats[place].mimeWord.bytes)) == formatOfMIME.count { formatOfMIME.append(id) }
                guard let identifier = formats[place].identifier else { continue }
                if Int(identifiers.add(identifier)) == formatOfIdentifier.count { formatOfIdentifier.append(id) }
            }
            self.mimes = mimes
            self.formatOfMIME = formatOfMIME
            self.identifiers = identifiers
            self.formatOfIdentifier = formatOfIdentifier

            var extensions = NameArena(expectedCount: 1024)
            var firstClaim: [Int32] = []
            var claims: [(format: FormatID, next: Int32)] = []
            // From the last to the first, so that each goes before those known.
            for place in formats.indices.reversed() {
                var tags = formats[place].extensions
                while let tag = tags.next() {
                    let name = Int(extensions.add(tag))
                    if name == firstClaim.count { firstClaim.append(-1) }
                    claims.append((FormatID(place: place), firstClaim[name]))
                    firstClaim[name] = Int32(clamping: claims.count - 1)
                }
            }
            self.extensions = extensions
            self.firstClaim = firstClaim
            self.claims = claims
        }

        func format(mime: Bytes) -> FormatID? { mimes.find(mime).map { formatOfMIME[Int($0)] } }

        func format(identifier: Bytes) -> FormatID? { identifiers.find(identifier).map { formatOfIdentifier[Int($0)] } }

        func claims(ofExtension tag: Bytes) -> [FormatID] {
            guard let known = extensions.find(tag) else { return [] }
            var found: [FormatID] = []
            var claim = firstClaim[Int(known)]
            while claim >= 0 {
                found.append(claims[Int(claim)].format)
                claim = claims[Int(claim)].next
            }
            return found
        }
    }
}
