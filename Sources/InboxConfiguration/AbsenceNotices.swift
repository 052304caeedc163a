import InboxLinux

extension LoadedConfiguration {
    /// The same with a notice for each program of `Run=`, and each user and group, that this machine does not have, and each
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
        return (handlers + tellers).compactMap { program, origin in
            guard let program, let words = Self.obstacle(program) else { return nil }
            return ConfigurationProblem(origin, "Run: \(words)")
        }
    }

    /// Returns why a program cannot be started; nil if that is not known.
    private static func obstacle(_ program: BytePath) -> String? {
        do throws(SyscallError) {
            let status = try FileDescriptor.reading(path: program).status()
            if status.kind != .regular { return "\(program) is not a file" }
            return status.permissions & 0o111 == 0 ? "\(program) is not executable" : nil
        } catch {
            // One that may be started alone, and not read, is no mistake.
            return error.errno.isAbsent ? "there is no program \(program)" : nil
        }
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
