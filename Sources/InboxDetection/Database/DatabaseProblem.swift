import InboxLinux

/// A file of the MIME database that is there and cannot be read: types are found without it.
package struct DatabaseProblem: Error, CustomStringConvertible {
    /// The file.
    package let path: BytePath
    /// The reason why it cannot be read.
    package let reason: String

    /// In words, for the log.
    package var description: String { "cannot read \(path), so types are found without it: \(reason)" }
}
