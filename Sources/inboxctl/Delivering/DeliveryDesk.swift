import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Delivers files: straight into the Inbox where this person may write there, else through the daemon.
final class DeliveryDesk {
    private let daemon: Daemon
    private let invocation: Invocation
    /// The Inbox, by the daemon's name for it.
    private let inbox: BytePath
    /// The Inbox; nil where this person may not write there.
    private let folder: OpenFolder?
    /// Which names the daemon leaves alone, once it was asked; nil in it where it did not say.
    private var ignoring: Ignoring??

    /// Asks the daemon which its first Inbox is.
    init(_ daemon: Daemon, _ invocation: Invocation) throws(CommandFailure) {
        self.daemon = daemon
        self.invocation = invocation
        let status = try daemon.call("GetStatus")
        guard case .array(let inboxes)? = status["inboxes"],
            let path = inboxes.first?["path"]?.string.flatMap(BytePath.init(escapedText:))
        else { throw .failed("the daemon: its status is not understood: are inboxd and inboxctl of one version?") }
        inbox = path
        // With RemoveInbox=yes it is missing whenever it is cleared. What is missing because of a problem is not made.
        folder = Self.open(inbox, makesMissing: status["state"]?.string != "degraded")
    }

    private static func open(_ inbox: BytePath, makesMissing: Bool) -> OpenFolder? {
        do throws(SyscallError) {
            let folder = try Directory.open(path: inbox)
            try folder.mayChange()
            return OpenFolder(folder)
        } catch {
            guard makesMissing, error.errno == .noEntry else { return nil }
        }
        do throws(DeliveryError) { return try DeliveryInbox.open(inbox, makesMissing: true) } catch {
            // The daemon may be able to.
            return nil
        }
    }

    /// A delivered document.
    struct Delivered {
        /// The path in the Inbox, as text by section 5 of the contract.
        let path: String
        /// Which file it is, as in its event; nil where that is not known.
        let file: [String]?
        /// A remark about a file that was to be removed, and stays.
        var remark: String?
    }

    /// Returns true if standard input was typed in place of a file.
    static func isInput(_ typed: [UInt8]) -> Bool { typed == [UInt8(ascii: "-")] }

    /// Delivers a file, or standard input for `-`.
    func deliver(_ typed: [UInt8], _ order: DeliveryOrder) throws(CommandFailure) -> Delivered {
        let isInput = Self.isInput(typed)
        do throws(DeliveryError) {
            return isInput ? try deliverInput(order) : try deliverFile(typed, order)
        } catch {
            throw .failed("\(isInput ? "standard input" : typed.isEmpty ? "put" : printable(typed)): \(error)")
        }
    }

    /// Returns true if the daemon ignores a document that was delivered to a path because of its name; false if that
    /// is not known.
    func ignores(_ path: String) -> Bool {
        guard let name = BytePath(escapedText: path).flatMap({ FileName($0.lastComponent) }) else { return false }
        if ignoring == nil { ignoring = .some(rule) }
        return ignoring??.ignores(name, isInside: false) ?? false
    }

    /// The daemon's rule for the Inbox.
    private var rule: Ignoring? {
        let text: String
        do throws(CommandFailure) { text = try daemon.call("GetConfiguration")["configuration"]?.string ?? "" } catch {
            // The document is delivered, and that is what counts.
            return nil
        }
        // The state folder, which that text does not name, is of no importance here.
        var options = ConfigurationOptions()
        (options.file, options.state) = (Array("/configuration".utf8), Array("/".utf8))
        let files = ConfigurationFiles(content: { _ in Array(text.utf8) }, names: { _ in nil })
        let loaded = ConfigurationLoader.load(options, environment: invocation.surroundings.environment, files: files)
        return loaded.configuration?.inboxes.first { $0.path == inbox }.map { Ignoring($0.settings) }
    }

    private func delivered(_ file: DeliveredFile) -> Delivered {
        Delivered(path: inbox.appending(file.name).escapedText, file: file.file?.numbers)
    }

    // MARK: Standard input

    private func deliverInput(_ order: DeliveryOrder) throws(DeliveryError) -> Delivered {
        guard let unnamed = FileName("standard-input") else { throw .notRegular }
        var delivery = Delivery(name: order.name(for: unnamed))
        delivery.annotations = order.annotations
        delivery.application = order.application
        delivery.type = order.type
        let source = try call { () throws(SyscallError) in try FileDescriptor.standardInput() }
        let bar = ProgressBar(delivery.name, size: nil, invocation)
        defer { bar.end() }
        if let folder {
            delivery.permissions = 0o666 & ~Process.creationMask
            return delivered(
                try delivery.perform(in: folder) { (target) throws(DeliveryError) in
                    try DeliveredContent(report: bar.show).drain(source, to: target.descriptor)
                })
        }
        // The daemon takes regular files only.
        let spool = try call { () throws(SyscallError) in try self.spool() }
        try DeliveredContent(report: bar.show).drain(source, to: spool)
        bar.end()
        return try put(spool, delivery)
    }

    /// A file for a copy of what the daemon does not read itself: without a name, it is gone with this process.
    private func spool() throws(SyscallError) -> FileDescriptor {
        let folder = invocation.surroundings.variable("TMPDIR").flatMap(BytePath.init(bytes:)) ?? BytePath("/tmp")
        return try Directory.open(path: folder).unnamedFile()
    }

    // MARK: Files

    private func deliverFile(_ typed: [UInt8], _ order: DeliveryOrder) throws(DeliveryError) -> Delivered {
        let source = DeliverySource(typed, workingDirectory: invocation.surroundings.environment.workingDirectory)
        guard let source else { throw typed.isEmpty ? .noPath : .notRegular }
        let file = try call { () throws(SyscallError) in
            OpenFile(try FileDescriptor.reading(path: source.path))
        }
        let status = try call { () throws(SyscallError) in try file.descriptor.status() }
        if status.kind == .directory { throw .folder }
        guard status.kind == .regular else { throw .notRegular }
        var delivery = Delivery(name: order.name(for: source.name))
        delivery.annotations = order.annotations
        delivery.application = order.application
        delivery.type = order.type
        try call { () throws(SyscallError) in try delivery.takeOver(status, of: file.descriptor) }
        guard order.moves else { return try copy(file, status, delivery) }
        let around = try call { () throws(SyscallError) in OpenFolder(try Directory.open(path: source.folder)) }
        guard let moved = try MovedSource(file, source.name, in: around) else {
            var copied = try copy(file, status, delivery)
            copied.remark = stays(source, because: "it is a link, and what it leads to was copied")
            return copied
        }
        return try move(moved, from: source, status, delivery)
    }

    /// Delivers a copy.
    private func copy(
        _ file: OpenFile, _ status: FileStatus, _ delivery: Delivery
    ) throws(DeliveryError) -> Delivered {
        guard let folder else { return try putWhole(file, delivery) }
        let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
        defer { bar.end() }
        return delivered(
            try delivery.perform(in: folder) { (target) throws(DeliveryError) in
                try DeliveredContent(report: bar.show).copy(file, to: target)
            })
    }

    /// Delivers the file itself, else a copy, after which it is removed where that has everything of it.
    private func move(
        _ moved: MovedSource, from source: DeliverySource, _ status: FileStatus, _ delivery: Delivery
    ) throws(DeliveryError) -> Delivered {
        var moved = moved
        var made: Delivered
        let lost: [String]
        if let folder {
            if let file = try delivery.move(&moved, to: folder) { return delivered(file) }
            let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
            defer { bar.end() }
            let copy = try delivery.copy(moved, to: folder, report: bar.show)
            (made, lost) = (delivered(copy.delivered), copy.lost)
        } else {
            lost = try call { () throws(SyscallError) in
                try moved.lostByContentAlone().map { $0 + " (the daemon copies content, mode and time alone)" }
            }
            made = try putWhole(moved.file, delivery)
        }
        made.remark = moved.remove(lost: lost).map { stays(source, because: $0) }
        return made
    }

    private func stays(_ source: DeliverySource, because reason: String) -> String {
        "\(source.path.displayText) is delivered, but stays: \(reason)"
    }

    /// Passes the file itself to the daemon, else a copy, where the daemon does not trust its filesystem to answer.
    private func putWhole(_ file: OpenFile, _ delivery: Delivery) throws(DeliveryError) -> Delivered {
        do throws(DeliveryError) { return try put(file.descriptor, delivery) } catch {
            guard case .foreign = error else { throw error }
        }
        let copy = try call { () throws(SyscallError) in OpenFile(try self.spool()) }
        let status = try call { () throws(SyscallError) in try file.descriptor.status() }
        let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
        defer { bar.end() }
        try DeliveredContent(report: bar.show).copy(file, to: copy)
        try call { () throws(SyscallError) in
            try copy.descriptor.changePermissions(status.permissions & 0o777)
            try copy.descriptor.setTimes(accessed: .now(), modified: status.identity.modified)
        }
        bar.end()
        return try put(copy.descriptor, delivery)
    }

    private func put(_ file: borrowing FileDescriptor, _ delivery: Delivery) throws(DeliveryError) -> Delivered {
        var parameters: [String: JSONValue] = ["name": .string(delivery.name.escapedText), "fd": .integer(0)]
        if !delivery.annotations.isEmpty {
            parameters["annotations"] = .object(delivery.annotations.mapValues(JSONValue.string))
        }
        if let application = delivery.application { parameters["application"] = .string(application) }
        if let type = delivery.type { parameters["type"] = .string(type.identifier) }
        let status = try call { () throws(SyscallError) in try file.status() }
        let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
        defer { bar.end() }
        let reply = try daemon.put(file, parameters, bar.show)
        return Delivered(path: reply["path"]?.string ?? "", file: reply["file"]?.strings)
    }

    private func call<Value: ~Copyable>(
        _ body: () throws(SyscallError) -> Value
    ) throws(DeliveryError) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed(error) }
    }
}

/// A file that is to be delivered: where it is.
struct DeliverySource {
    /// The path, absolute.
    let path: BytePath
    /// The folder that it is in.
    let folder: BytePath
    /// Its name there.
    let name: FileName

    /// Nil where the path cannot be that of a file.
    init?(_ typed: [UInt8], workingDirectory: BytePath?) {
        guard !typed.isEmpty, let typed = BytePath(bytes: typed) else { return nil }
        path = (workingDirectory ?? BytePath("/")).appending(typed)
        guard let folder = path.parent, let name = FileName(path.lastComponent) else { return nil }
        self.folder = folder
        self.name = name
    }
}

extension Daemon {
    /// Delivers a file through the daemon, which copies it.
    /// - Parameter show: takes how many bytes it has copied, where that takes long.
    func put(
        _ file: borrowing FileDescriptor, _ parameters: [String: JSONValue], _ show: (Int64) -> Bool
    ) throws(DeliveryError) -> [String: JSONValue] {
        var client: Client
        // As long as the daemon takes for a delivery at most.
        do throws(CommandFailure) { client = try connect(timeout: .seconds(3700)) } catch {
            throw .refused(error.message)
        }
        do throws(ClientError) {
            return try client.call("io.inboxd.Inbox.Put", parameters, passing: file) { reply in
                if let count = reply["copied"]?.integer { _ = show(count) }
            }
        } catch {
            if case .refused("org.varlink.service.PermissionDenied", _) = error {
                throw .refused(
                    "you may not write to the Inbox, nor deliver through the daemon: ask for the group of the Inbox, "
                        + "or for PutAllowUsers=")
            }
            let message = Daemon.failure(of: error).message
            if case .refused("io.inboxd.Inbox.ForeignFile", _) = error { throw .foreign(message) }
            throw .refused(message)
        }
    }
}
