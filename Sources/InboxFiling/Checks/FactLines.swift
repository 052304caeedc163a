import InboxLinux

/// The standard output of a check: facts, one `key=value` a line.
package struct FactLines: Sendable, Hashable {
    /// Bytes: a check that writes more has failed.
    package static let most = 64 * 1024

    /// The facts about the document, by key; of a key that is given twice the last value.
    package private(set) var facts: [String: String] = [:]
    /// The lines that are no such pair, in their order.
    package private(set) var others: [[UInt8]] = []

    /// Reads an output, which ends where the program has ended.
    package init(_ output: [UInt8]) {
        for line in output.split(separator: UInt8(ascii: "\n")) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if let (key, value) = Self.pair(line) {
                facts[key] = value
            } else if !line.isEmpty {
                others.append(Array(line))
            }
        }
    }

    /// A key as annotations have it, and a value that is text; nil where the line is no such pair.
    private static func pair(_ line: ArraySlice<UInt8>) -> (key: String, value: String)? {
        guard let end = line.firstIndex(of: UInt8(ascii: "=")),
            let key = String(validating: line[..<end], as: UTF8.self), Annotations.isKey(key),
            let value = String(validating: line[(end + 1)...], as: UTF8.self), !value.utf8.contains(0)
        else { return nil }
        return (key, value)
    }
}
