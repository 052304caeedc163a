import InboxConfiguration
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
    /// The path of a document that was filed before and has the same bytes; nil where there is none, or none is searched.
    let twin: BytePath?
    /// A folder that is one item by what it holds, as a clone of a repository is.
    let isWhole: Bool

    /// Searches a document that was filed before and has the bytes of a file.
    package typealias TwinSearch = @Sendable (OpenFile, FileStatus) -> BytePath?

    /// Inspects an open file. Nothing else is opened, so that this shows no more than its descriptor does.
    package static func inspect(
        _ opened: OpenFile, as name: FileName, with detector: Detector, search: TwinSearch?
    ) throws(Explanation.Failure) -> DroppedFile {
        let status: FileStatus
        var reading = DocumentReading()
        var detection: Detection
        var isWhole = false
        do throws(SyscallError) {
            status = try opened.descriptor.status()
            detection = detector.detect(unopened: name, status.kind)
            if status.kind == .regular {
                detection = detector.detect(name, delivered: opened.descriptor)
                reading = try DocumentReading.read(opened.descriptor, status, detection, name)
            } else if status.kind == .directory {
                isWhole = holdsWhole(opened.descriptor)
            }
        } catch {
            throw Explanation.Failure(error)
        }
        // It was opened for something else than reading.
        if status.kind == .regular, detection.unread { throw .denied }
        return DroppedFile(
            name: name, status: status, detection: detection, reading: reading, twin: search?(opened, status),
            isWhole: isWhole)
    }

    /// Returns whether a folder is one item by what it holds. A descriptor that cannot list the folder shows nothing of
    /// that.
    private static func holdsWhole(_ folder: borrowing FileDescriptor) -> Bool {
        do throws(SyscallError) {
            var entries = try DirectoryEntries(of: Directory(duplicating: folder))
            guard try entries.next() != nil else { return false }
            return try WholeFolder.contains(entries.directory, Ignoring(InboxSettings()))
        } catch {
            return false
        }
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
