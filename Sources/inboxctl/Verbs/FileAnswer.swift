import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// What a file is that was asked for by its path.
struct FileAnswer {
    /// The path as it was given.
    let path: BytePath
    let detection: Detection

    /// Inspects what is at a path: a link is reported as a link, and nothing but a regular file is opened.
    init(_ path: [UInt8], _ detector: Detector) throws(CommandFailure) {
        guard let path = BytePath(bytes: path) else { throw .failed("\(printable(path)): no path holds a NUL") }
        guard !path.bytes.isEmpty else { throw .failed("an empty path leads nowhere") }
        self.path = path
        let status: FileStatus
        do throws(SyscallError) { status = try FileStatus(path: path) } catch {
            throw .failed("\(path): \(error.errno)")
        }
        // `/`, `.` and `..` have no name of their own.
        let name = FileName(path.lastComponent)
        switch (status.kind, name) {
        case (.regular, let name?): detection = Self.detect(path, name, detector)
        case (.directory, let name?), (.symlink, let name?):
            detection = detector.detect(unopened: name, status.kind)
        case (.directory, nil):
            detection = Detection(
                type: .folder, mime: UTType.folder.preferredMIMEType, evidence: .none, mismatch: false, unread: false)
        case (.special, _), (.regular, nil), (.symlink, nil):
            // A FIFO, socket or device: reading could wait for ever, or do something. Its name says nothing either.
            detection = Detection(type: .item, mime: nil, evidence: .none, mismatch: false, unread: true)
        }
    }

    /// Identifies what is on standard input, of which nobody knows the name.
    init(standardInput detector: Detector) throws(CommandFailure) {
        path = BytePath("-")
        do throws(SyscallError) {
            let input = try FileDescriptor.standardInput()
            // The path says nothing as a name either.
            if let name = FileName(path.lastComponent), try input.status().kind == .regular {
                detection = detector.detect(name, reading: input)
                return
            }
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while content.count < Self.mostOfStream {
                let count = try input.read(into: &buffer)
                guard count > 0 else { break }
                content += buffer[..<count]
            }
            detection = content.withUnsafeBytes { detector.detect(nil, content: $0) }
        } catch {
            throw .failed("standard input: \(error.errno)")
        }
    }

    /// Bytes: a stream is read to its end, so that what containers have there is seen, unless it is longer.
    private static let mostOfStream = 16 << 20

    private static func detect(_ path: BytePath, _ name: FileName, _ detector: Detector) -> Detection {
        do throws(SyscallError) {
            return detector.detect(name, reading: try FileDescriptor.readingItself(path: path))
        } catch {
            return detector.detect(unreadable: name)
        }
    }

    /// The object that section 3.2 of the contract lists.
    var object: JSONValue {
        .object(detection.members.merging(["path": .string(path.escapedText)]) { own, _ in own })
    }

    /// One line, or several aligned ones where this is the only file.
    func text(isAlone: Bool) -> String {
        isAlone ? rows : "\(path): \(identifier) (\(mime))\(remarks.map { ", \($0)" }.joined())\n"
    }

    private var identifier: String { printable(detection.type.shownIdentifier.utf8) }

    private var mime: String { detection.mime.map { printable($0.utf8) } ?? "-" }

    private var remarks: [String] {
        (detection.mismatch ? ["not what its name says"] : []) + (detection.unread ? ["unread"] : [])
            + (detection.incomplete.map { ["incomplete: \($0)"] } ?? [])
    }

    private var rows: String {
        let type = detection.type
        let supertypes = type.conformanceList.map { printable($0.identifier.utf8) }.separated(by: " ")
        let remarks = remarks.separated(by: ", ")
        let rows = [
            ("path", path.displayText), ("type", identifier),
            ("description", type.localizedDescription.map { printable($0.utf8) } ?? "-"), ("mime", mime),
            ("extension", type.preferredFilenameExtension.map { printable($0.utf8) } ?? "-"),
            ("conforms to", supertypes.isEmpty ? "-" : supertypes),
            ("evidence", detection.evidence.rawValue + (remarks.isEmpty ? "" : " (\(remarks))")),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.rightAligned(to: width) + ": " + $1 + "\n" }.separated(by: "")
    }
}
