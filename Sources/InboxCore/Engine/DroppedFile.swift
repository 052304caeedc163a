import InboxDetection
import InboxFiling
import InboxLinux
import InboxProperties

/// A file or folder that lies anywhere, as it is inspected to say what would become of it in an Inbox.
package struct DroppedFile: Sendable {
    /// The name that it would have there.
    let name: FileName
    let status: FileStatus
    let detection: Detection
    let reading: DocumentReading

    /// Inspects an open file. Nothing else is opened, so that this shows no more than its descriptor does.
    package static func inspect(
        _ file: borrowing FileDescriptor, as name: FileName, with detector: Detector
    ) throws(Explanation.Failure) -> DroppedFile {
        let status: FileStatus
        var reading = DocumentReading()
        var detection: Detection
        do throws(SyscallError) {
            status = try file.status()
            detection = detector.detect(unopened: name, status.kind)
            if status.kind == .regular {
                detection = detector.detect(name, delivered: file)
                reading = try DocumentReading.read(file, status, detection, name)
            }
        } catch {
            throw Explanation.Failure(error)
        }
        // It was opened for something else than reading.
        if status.kind == .regular, detection.unread { throw .denied }
        return DroppedFile(name: name, status: status, detection: detection, reading: reading)
    }
}

/// The properties and the extended attributes of an open document.
struct DocumentReading: Sendable {
    var attributes = DocumentAttributes()
    var properties = DocumentProperties()

    /// Reads all of it.
    static func read(
        _ file: borrowing FileDescriptor, _ status: FileStatus, _ detection: Detection, _ name: FileName
    ) throws(SyscallError) -> DocumentReading {
        DocumentReading(
            attributes: try DocumentAttributes.read(from: file),
            properties: DocumentProperties.read(
                file, size: Int64(clamping: status.size), type: detection.type, name: name, now: .now()))
    }
}
