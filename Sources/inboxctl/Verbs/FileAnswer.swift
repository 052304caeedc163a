import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxProperties
import InboxVarlink
import UniformTypeIdentifiers

/// The answer about a file that was asked for by its path.
struct FileAnswer {
    /// The path as it was given.
    let path: BytePath
    let detection: Detection
    /// The properties that the content states of the document; nil if nobody asked.
    let properties: DocumentProperties?

    /// Inspects what is at a path: a link is reported as a link, and nothing but a regular file is opened.
    init(_ path: [UInt8], _ detector: Detector, wantsProperties: Bool = false) throws(CommandFailure) {
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
        guard wantsProperties else {
            properties = nil
            return
        }
        properties =
            status.kind == .regular
            ? Self.properties(path, name, size: Int64(clamping: status.size), detection.type) : DocumentProperties()
    }

    private static func properties(
        _ path: BytePath, _ name: FileName?, size: Int64, _ type: UTType
    ) -> DocumentProperties {
        do throws(SyscallError) {
            var found = DocumentProperties.read(
                try FileDescriptor.readingItself(path: path), size: size, type: type, name: name, now: .now())
            if found.date == nil, let date = name.flatMap({ DocumentDate(inName: $0, now: .now()) }) {
                (found.date, found.dateSource) = (date, .name)
            }
            return found
        } catch {
            // That it cannot be read is part of what was detected.
            return DocumentProperties()
        }
    }

    /// Identifies what is on standard input, of which nobody knows the name.
    init(standardInput detector: Detector, wantsProperties: Bool) throws(CommandFailure) {
        path = BytePath("-")
        do throws(SyscallError) {
            let input = try FileDescriptor.standardInput()
            let status = try input.status()
            // The path says nothing as a name either.
            if let name = FileName(path.lastComponent), status.kind == .regular {
                detection = detector.detect(name, reading: input)
                properties =
                    wantsProperties
                    ? DocumentProperties.read(
                        input, size: Int64(clamping: status.size), type: detection.type, now: .now()) : nil
                return
            }
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while content.count < Self.mostOfStream {
                let count = try input.read(into: &buffer)
                guard count > 0 else { break }
                content += buffer[..<count]
            }
            let detection = content.withUnsafeBytes { detector.detect(nil, content: $0) }
            self.detection = detection
            properties =
                wantsProperties
                ? content.withUnsafeBytes { DocumentProperties.read(content: $0, type: detection.type, now: .now()) }
                : nil
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
        var members = detection.members
        members["path"] = .string(path.escapedText)
        if let properties { members.merge(properties.members) { own, _ in own } }
        return .object(members)
    }

    /// One line, or several aligned ones where this is the only file.
    func text(isAlone: Bool) -> String {
        isAlone ? rows : "\(path): \(identifier) (\(mime))\(remarks.map { ", \($0)" }.joined())\(propertyText)\n"
    }

    /// The properties that there are, after everything else on one line.
    private var propertyText: String {
        (properties?.rows ?? []).filter { $0.1 != "-" }.map { ", \($0.0) \($0.1)" }.joined()
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
        let rows =
            [
                ("path", path.displayText), ("type", identifier),
                ("description", type.localizedDescription.map { printable($0.utf8) } ?? "-"), ("mime", mime),
                ("extension", type.preferredFilenameExtension.map { printable($0.utf8) } ?? "-"),
                ("conforms to", supertypes.isEmpty ? "-" : supertypes),
                ("evidence", detection.evidence.rawValue + (remarks.isEmpty ? "" : " (\(remarks))")),
            ] + (properties?.rows ?? [])
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.rightAligned(to: width) + ": " + $1 + "\n" }.separated(by: "")
    }
}

extension DocumentProperties {
    /// The members that section 3.2 of the contract lists, each null where the document does not say it.
    var members: [String: JSONValue] {
        [
            "date": (date?.text).map(JSONValue.string) ?? .null,
            "dateFrom": (dateSource?.rawValue).map(JSONValue.string) ?? .null,
            "title": title.map(JSONValue.string) ?? .null, "author": author.map(JSONValue.string) ?? .null,
        ]
    }

    /// The properties to show to people, by name.
    var rows: [(String, String)] {
        let from = dateSource.map { " (\($0.rawValue))" } ?? ""
        return [
            ("date", date.map { $0.text + from } ?? "-"),
            ("title", title.map { printableWords($0) } ?? "-"), ("author", author.map { printableWords($0) } ?? "-"),
        ]
    }
}
