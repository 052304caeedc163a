/// Splits a program's output into lines, limited in length and number so that the log stays readable.
struct ProgramOutput {
    /// Bytes of one line; a longer one is cut there, and its rest is dropped.
    static let longestLine = 1024
    /// Lines of one run.
    static let mostLines = 1000

    private var line: [UInt8] = []
    private var count = 0
    /// The number of lines that were dropped.
    private(set) var dropped = 0

    /// Takes bytes; returns the lines that they end.
    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let line = endLine() { lines.append(line) }
            } else if line.count < Self.longestLine {
                line.append(byte)
            }
        }
        return lines
    }

    /// The last line, where it has no end of its own.
    mutating func finish() -> [UInt8]? { line.isEmpty ? nil : endLine() }

    private mutating func endLine() -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        guard count < Self.mostLines else {
            dropped += 1
            return nil
        }
        count += 1
        return line
    }
}
