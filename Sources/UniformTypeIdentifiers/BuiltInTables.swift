import CUniformTypeData

// What the compiler made of the declarations, as the catalogue keeps it.

extension TypeRows.Row {
    /// A built-in type.
    ///
    /// - Parameter next: The row after it, with which its words end.
    init(_ row: inbox_type_row, before next: inbox_type_row) {
        let identifier = ByteRange(row.identifier)
        self.init(identifier: identifier, key: identifier)
        description = ByteRange(row.description)
        parents = Int32(row.parents)..<Int32(next.parents)
        extensions = Int32(row.extensions)..<Int32(row.mime_types)
        mimeTypes = Int32(row.mime_types)..<Int32(next.extensions)
    }
}

extension ByteRange {
    /// A word of the tables: its start in the lower three bytes, its length above.
    init(_ word: inbox_type_word) {
        self.init(start: word & 0xFF_FFFF, count: word >> 24)
    }
}

extension Array {
    /// Takes the elements over from memory, each by `body`.
    init<Source>(copying source: UnsafePointer<Source>, count: UInt32, _ body: (Source) -> Element) {
        self.init(unsafeUninitializedCapacity: Int(count)) { elements, initialized in
            for index in 0..<elements.count { elements.initializeElement(at: index, to: body(source[index])) }
            initialized = elements.count
        }
    }
}
