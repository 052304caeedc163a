/// A value of a property list, as far as declarations need it: dates, data and the like are only known to be there.
///
/// The decoder of FoundationEssentials is not used: a deeply nested list, or a binary one that contains itself, ends
/// the program there, and one that shares its parts can keep it busy for ever or take all memory. Here all of this is
/// bounded.
enum PropertyList: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case other
    case array([PropertyList])
    case dictionary([String: PropertyList])

    /// The deepest nesting of lists; those of applications stay below ten.
    static let maximumDepth = 64

    /// The largest number of values, each use of a shared one counted.
    static let maximumCount = 100_000

    /// Bytes: how long all texts of a binary list may be together, each use of a shared one counted.
    static let maximumTextSize = 16 << 20

    /// Reads either form, which the first bytes distinguish.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        var lines: [String: Int] = [:]
        self = try PropertyList(bytes, entryLines: &lines)
    }

    /// The same.
    /// - Parameter entryLines: takes the line of each dictionary in an array of the top one, by `KEY[INDEX]`; a binary
    ///   list has no lines.
    init(_ bytes: [UInt8], entryLines: inout [String: Int]) throws(PropertyListError) {
        if bytes.starts(with: "bplist".utf8) {
            var reader = try BinaryPropertyListReader(bytes)
            self = try reader.readTop()
        } else {
            var reader = XMLPropertyListReader(bytes)
            self = try reader.readDocument()
            entryLines = reader.entryLines
        }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var dictionary: [String: PropertyList]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }
}

/// The reason why bytes are no property list.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file that was read, as the caller named it; empty until it is known.
    public var label = ""

    /// The line in an XML list, from 1; nil for a binary one.
    public let line: Int?

    /// The reason in words.
    public let reason: String

    init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    /// `label:line: reason`.
    public var description: String {
        let place = line.map { ":\($0)" } ?? ""
        return label.isEmpty && line == nil ? reason : "\(label)\(place): \(reason)"
    }
}
