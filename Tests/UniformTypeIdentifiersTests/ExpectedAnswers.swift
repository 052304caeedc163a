import Glibc

/// A table of expected answers: tab-separated lines under a heading, beside this file.
func expectedAnswers(_ name: String) throws -> [[String]] {
    try lines(of: "Expected/\(name).tsv").dropFirst()
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
}

/// The lines of a file that lies beside this one; empty ones are left out.
func lines(of name: String, file: String = #filePath) throws -> [String] {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    guard let stream = fopen(path, "r") else { throw MissingFile(path: path) }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, stream)
        if count == 0 { break }
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

struct MissingFile: Error {
    let path: String
}
