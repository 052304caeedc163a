import InboxLinux

/// Turns the paths of a configuration into absolute ones, without inspecting the disk.
struct PathResolution {
    /// The folder that `~` means.
    let home: BytePath?
    /// Longer ones no system call takes (`PATH_MAX`, its NUL counted).
    static let longestPath = 4095

    /// Resolves a path of a file: `~` and `~/x` start at home.
    /// - Parameters:
    ///   - path: as it was written.
    ///   - base: what a relative one is relative to; nil refuses it.
    func resolve(_ path: BytePath, relativeTo base: BytePath?) throws(ValueProblem) -> BytePath {
        guard path.bytes.first == UInt8(ascii: "~") else { return try literal(path, relativeTo: base) }
        let rest = path.bytes.dropFirst()
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else {
            throw ValueProblem(
                "\(quotedExcerpt(path.bytes)): only ~ and ~/… are known; write it in full, or ./~… for a name"
            )
        }
        guard let home else {
            throw ValueProblem("\(quotedExcerpt(path.bytes)): HOME is not set; write the path in full")
        }
        return try literal(try WordList.path(word: home.bytes + rest), relativeTo: nil)
    }

    /// Resolves a path of the command line, where the shell has seen to `~`.
    func literal(_ path: BytePath, relativeTo base: BytePath?) throws(ValueProblem) -> BytePath {
        guard !path.bytes.isEmpty else { throw ValueProblem("the path is empty") }
        guard path.isAbsolute || base != nil else {
            throw ValueProblem("\(quotedExcerpt(path.bytes)) is not an absolute path (nor one that begins with ~/)")
        }
        let whole = base.map { $0.appending(path) } ?? path
        guard let result = whole.normalized else {
            throw ValueProblem("\(quotedExcerpt(path.bytes)) has a \"..\"; write the path without it")
        }
        guard result.bytes.count <= Self.longestPath else {
            throw ValueProblem("\(quotedExcerpt(path.bytes)) is longer than \(Self.longestPath) bytes")
        }
        return result
    }
}
