import InboxLinux
import UniformTypeIdentifiers

extension DocumentProperties {
    /// Returns what a document's content says of it. The descriptor's offset stays.
    ///
    /// At most 8 reads and 256 KiB, whatever the content; what cannot be read counts as not there.
    ///
    /// - Parameters:
    ///   - file: The open document.
    ///   - size: Its size in bytes.
    ///   - type: Its type, as detected: it tells texts apart, which have no signature.
    ///   - name: Its name: a title that only repeats it says nothing.
    ///   - wanted: What is asked for.
    ///   - now: The time now: no document is from later than a day from now.
    package static func read(
        _ file: borrowing FileDescriptor, size: Int64, type: UTType, name: FileName? = nil, wanted: Names = .all,
        now: Timestamp
    ) -> DocumentProperties {
        DocumentProperties()
    }
}
