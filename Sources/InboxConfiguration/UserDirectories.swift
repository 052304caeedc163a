import InboxLinux

/// The file `user-dirs.dirs` of xdg-user-dirs, whose man page is user-dirs.dirs(5).
package enum UserDirectories {
    /// Finds `XDG_DOCUMENTS_DIR`.
    /// - Parameters:
    ///   - text: the file's content.
    ///   - home: the value of `$HOME`.
    /// - Returns: the folder and its line; nil where the file does not say, where it says it in another form than
    ///   `"$HOME/…"` or `"/…"`, and where it is the home itself, which means *none*. The last line that counts wins.
    package static func documents(in text: [UInt8], home: BytePath) -> (path: BytePath, line: Int)? {
        var found: (path: BytePath, line: Int)?
        let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var rest = line.trimmingBlanks()
            guard take("XDG_DOCUMENTS_DIR", from: &rest) else { continue }
            rest = rest.trimmingBlanks()
            guard take("=", from: &rest) else { continue }
            rest = rest.trimmingBlanks()
            guard take("\"", from: &rest), let path = path(from: rest, home: home)?.normalized else { continue }
            found = path == home.normalized ? nil : (path, index + 1)
        }
        return found
    }

    private static func path(from quoted: ArraySlice<UInt8>, home: BytePath) -> BytePath? {
        var rest = quoted
        var bytes: [UInt8] = []
        if take("$HOME", from: &rest) {
            guard rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "\"") else { return nil }
            bytes = home.bytes
        } else if rest.first != UInt8(ascii: "/") {
            return nil
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return BytePath(bytes: bytes)
            case UInt8(ascii: "\\"): rest.popFirst().map { bytes.append($0) }
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func take(_ word: String, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }
}
