import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Delivers files: straight into the Inbox where this person may write there, else through the daemon.
struct DeliveryDesk {
    private let daemon: Daemon
    private let invocation: Invocation
    /// The Inbox, by the daemon's name for it.
    private let inbox: BytePath
    /// The Inbox; nil where this person may not write there.
    private let folder: OpenFolder?

    /// Asks the daemon which its first Inbox is.
    init(_ daemon: Daemon, _ invocation: Invocation) throws(CommandFailure) {
        self.daemon = daemon
        self.invocation = invocation
        let status = try daemon.call("GetStatus")
        guard case .array(let inboxes)? = status["inboxes"],
            let path = inboxes.first?["path"]?.string.flatMap(BytePath.init(escapedText:))
        else { throw .failed("the daemon: its status is not understood: are inboxd and inboxctl of one version?") }
        inbox = path
        do throws(SyscallError) {
            let folder = try Directory.open(path: path)
            try folder.mayChange()
            self.folder = OpenFolder(folder)
        } catch {
            folder = nil
        }
    }

    /// Delivers a file, or standard input for `-`; returns the path in the Inbox as text by section 5 of the contract.
    func deliver(_ typed: [UInt8], _ order: DeliveryOrder) throws(CommandFailure) -> String {
        let isInput = typed == [UInt8(ascii: "-")]
        do throws(DeliveryError) {
            return isInput ? try deliverInput(order) : try deliverFile(typed, order)
        } catch {
            throw .failed("\(isInput ? "standard input" : printable(typed)): \(error)")
        }
    }

    private func path(_ name: FileName) -> String { inbox.appending(name).escapedText }

    // MARK: Standard input

    private func deliverInput(_ order: DeliveryOrder) throws(DeliveryError) -> String {
        guard let unnamed = FileName("standard-input") else { throw .notRegular }
        var delivery = Delivery(name: order.name(for: unnamed))
        delivery.annotations = order.annotations
        delivery.type = order.type
        let source = try call { () throws(SyscallError) in try FileDescriptor.standardInput() }
        let bar = ProgressBar(delivery.name, size: nil, invocation)
        defer { bar.end() }
        if let folder {
            delivery.permissions = 0o666 & ~Process.creationMask
            return path(
                try delivery.perform(in: folder) { (target) throws(DeliveryError) in
                    var content = DeliveredContent(largest: nil, report: bar.show)
                    try content.drain(source, to: target)
                })
        }
        // The daemon takes regular files only: one without a name is gone with this process.
        let spool = try call { () throws(SyscallError) in
            let folder = invocation.surroundings.variable("TMPDIR").flatMap(BytePath.init(bytes:)) ?? BytePath("/tmp")
            return try Directory.open(path: folder).unnamedFile()
        }
        var content = DeliveredContent(largest: nil, report: bar.show)
        try content.drain(source, to: spool)
        bar.end()
        return try put(spool, delivery)
    }

    // MARK: Files

    private func deliverFile(_ typed: [UInt8], _ order: DeliveryOrder) throws(DeliveryError) -> String {
        let source = DeliverySource(typed, workingDirectory: invocation.surroundings.environment.workingDirectory)
        guard let source else { throw .notRegular }
        let file = try call { () throws(SyscallError) in try FileDescriptor.reading(path: source.path) }
        let status = try call { () throws(SyscallError) in try file.status() }
        guard status.kind == .regular else { throw .notRegular }
        var delivery = Delivery(name: order.name(for: source.name))
        delivery.annotations = order.annotations
        delivery.type = order.type
        delivery.permissions = status.permissions & 0o777
        delivery.modified = status.identity.modified
        guard let folder else {
            let path = try put(file, delivery)
            if order.moves { try remove(source, status) }
            return path
        }
        if order.moves, let name = try move(source, file, delivery, to: folder) { return path(name) }
        let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
        defer { bar.end() }
        let name = try delivery.perform(in: folder) { (target) throws(DeliveryError) in
            var content = DeliveredContent(largest: nil, report: bar.show)
            try content.copy(file, to: target)
        }
        if order.moves { try remove(source, status) }
        return path(name)
    }

    /// Moves the file itself; nil where the Inbox is on another filesystem, or a link leads to the file.
    private func move(
        _ source: DeliverySource, _ file: borrowing FileDescriptor, _ delivery: Delivery, to folder: OpenFolder
    ) throws(DeliveryError) -> FileName? {
        let around = try call { () throws(SyscallError) in try Directory.open(path: source.folder) }
        let isFile = try call { () throws(SyscallError) in
            try around.status(of: source.name).identity == file.status().identity
        }
        guard isFile else { return nil }
        try delivery.annotate(file)
        do throws(DeliveryError) {
            return try delivery.move(source.name, from: around, to: folder)
        } catch {
            if case .failed(let error) = error, error.errno == .crossDevice { return nil }
            throw error
        }
    }

    /// Removes the file that was delivered, if nobody has changed it since.
    private func remove(_ source: DeliverySource, _ status: FileStatus) throws(DeliveryError) {
        try call { () throws(SyscallError) in
            let around = try Directory.open(path: source.folder)
            guard try around.status(of: source.name).identity == status.identity else {
                invocation.complain("\(source.path.displayText) is delivered, but it was changed since, and stays")
                return
            }
            try around.removeFile(source.name)
        }
    }

    private func put(_ file: borrowing FileDescriptor, _ delivery: Delivery) throws(DeliveryError) -> String {
        var parameters: [String: JSONValue] = ["name": .string(delivery.name.escapedText), "fd": .integer(0)]
        if !delivery.annotations.isEmpty {
            parameters["annotations"] = .object(delivery.annotations.mapValues(JSONValue.string))
        }
        if let type = delivery.type { parameters["type"] = .string(type.identifier) }
        let status = try call { () throws(SyscallError) in try file.status() }
        let bar = ProgressBar(delivery.name, size: Int64(clamping: status.size), invocation)
        defer { bar.end() }
        do throws(CommandFailure) {
            return try daemon.put(file, parameters, bar.show)["path"]?.string ?? ""
        } catch {
            throw .refused(error.message)
        }
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
    ) throws(CommandFailure) -> [String: JSONValue] {
        // As long as the daemon takes for a delivery at most.
        var client = try connect(timeout: .seconds(3700))
        do throws(ClientError) {
            return try client.call("io.inboxd.Inbox.Put", parameters, passing: file) { reply in
                if let count = reply["copied"]?.integer { _ = show(count) }
            }
        } catch {
            if case .refused("org.varlink.service.PermissionDenied", _) = error {
                throw .failed(
                    "you may not write to the Inbox, nor deliver through the daemon: ask for the group of the Inbox, "
                        + "or for PutAllowUsers=")
            }
            throw Daemon.failure(of: error)
        }
    }
}
