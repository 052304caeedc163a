import InboxLinux

extension LoadedConfiguration {
    /// The same with a notice for each program of `Run=` and `Check=`, and each user and group, that this machine does not have, and each
    /// placeholder that no document has a value for. They may be added later, so that none is a problem.
    /// - Parameter found: problems with its folders, which come first.
    package func notingAbsences(after found: [ConfigurationProblem] = []) -> LoadedConfiguration {
        guard let configuration else { return self }
        return LoadedConfiguration(
            configuration: configuration, problems: found + problems,
            notices: notices + configuration.absentPrograms + configuration.absentAccounts
                + configuration.absentPlaceholders, files: files)
    }
}

extension Configuration {
    fileprivate var absentPrograms: [ConfigurationProblem] {
        let handlers = ownTypes.documentTypes.map { ($0.settings.run?.program, $0.origins["Run"]?.last ?? $0.origin) }
        let tellers = notices.map { ($0.settings.run?.program, $0.origins["Run"]?.last ?? $0.origin) }
        let run = (handlers + tellers).compactMap { program, origin -> ConfigurationProblem? in
            guard let program, let words = Self.obstacle(program) else { return nil }
            return ConfigurationProblem(origin, "Run: \(words)")
        }
        var known: Set<String> = []
        return run
            + checks.filter { known.insert("\($0.origin)").inserted }.compactMap { program, origin in
                Self.obstacle(program).map {
                    ConfigurationProblem(origin, "Check: \($0): nothing that it has to decide about would be filed")
                }
            }
    }

    /// The programs of checks.
    private var checks: [(program: BytePath, origin: ConfigurationOrigin)] {
        let ofInboxes = inboxes.compactMap { inbox in
            inbox.settings.check.map { command in
                let origins = inbox.overrides["Check"] ?? inboxDefaultsOrigins["Check"]
                return (command.program, origins?.last ?? inbox.origin)
            }
        }
        return ofInboxes
            + documentTypes.compactMap { entry in
                entry.settings.check.map { ($0.program, entry.origins["Check"]?.last ?? entry.origin) }
            }
    }

    /// Returns why a program cannot be started; nil if that is not known.
    private static func obstacle(_ program: BytePath) -> String? {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: program)
            let status = try file.status()
            if status.kind != .regular { return "\(program) is not a file" }
            if status.permissions & 0o111 == 0 { return "\(program) may not be run (chmod +x)" }
            return try script(file).map { "\(program) \($0)" }
        } catch {
            // One that may be started alone, and not read, is no mistake.
            return error.errno.isAbsent ? "there is no program \(program)" : nil
        }
    }

    /// Returns why the kernel does not start a script: execve(2).
    private static func script(_ file: borrowing FileDescriptor) throws(SyscallError) -> String? {
        var head = [UInt8](repeating: 0, count: 256)
        head.removeLast(head.count - (try file.read(into: &head, at: 0)))
        guard head.starts(with: "#!".utf8) else {
            // Programs have a NUL at their beginning.
            return head.contains(0)
                ? nil : "is a script without a first line that names its interpreter, such as #!/bin/sh"
        }
        let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        // A carriage return is a part of the name.
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let name = line.drop(while: isBlank).prefix { !isBlank($0) }
        guard let interpreter = BytePath(bytes: Array(name)), !FileStatus.exists(interpreter) else { return nil }
        return "names \(interpreter) as its interpreter, which is not there"
            + (name.last == UInt8(ascii: "\r") ? ": its lines end as those of Windows do" : "")
    }

    fileprivate var absentAccounts: [ConfigurationProblem] {
        let users = [("AllowUsers", control.allowUsers), ("PutAllowUsers", control.putAllowUsers)]
        let groups = [("AllowGroups", control.allowGroups), ("PutAllowGroups", control.putAllowGroups)]
        return users.flatMap { absent($1, $0, "user", AccountNames.user) }
            + groups.flatMap { absent($1, $0, "group", AccountNames.group) }
    }

    private func absent(
        _ names: [[UInt8]], _ key: String, _ what: String, _ find: ([UInt8]) -> UInt32?
    ) -> [ConfigurationProblem] {
        names.filter { find($0) == nil }.map { name in
            ConfigurationProblem(
                controlOrigins[key]?.last ?? .builtIn,
                "\(key): there is no \(what) \(EscapedBytes.printable(name))")
        }
    }
}
