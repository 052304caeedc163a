/// The evidence from which a type was concluded.
package enum Evidence: String, Sendable, CaseIterable {
    /// The file's content alone.
    case content
    /// The file's name alone: nothing in the content spoke for a type, or it could not be read.
    case name
    /// Name and content agree.
    case nameAndContent = "name+content"
    /// Neither name nor content is known.
    case none
}
