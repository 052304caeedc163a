/// A position in the history: records written later follow it in the same file, or are in a later file.
package struct HistoryMark: Hashable, Sendable {
    /// The inode number of the file, which it keeps when it is rotated.
    package let file: UInt64
    /// Its length in bytes.
    package let size: Int64

    /// The place at this length of a file.
    package init(file: UInt64, size: Int64) {
        self.file = file
        self.size = size
    }
}
