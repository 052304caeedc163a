import InboxConfiguration
import InboxLinux

/// The findings of `--check` on the disk: folders that are missing, that are not folders, or that the sandbox closes.
struct FolderCheck {
    let configuration: Configuration
    /// The mounts of servers and programs, which are not touched, since they may hang; in an empty table none.
    var mounts = MountTable()
    /// Missing rights are a problem too: where the one who asks is not root, and so may be who runs the daemon.
    var reportsRights = false

    /// Every problem with the folders that the daemon uses, and with those around them in which it makes them.
    var problems: [ConfigurationProblem] {
        let documents = obstacle(configuration.documents).map {
            ConfigurationProblem(configuration.documentsOrigin, $0)
        }
        return [documents].compactMap(\.self) + destinationProblems + configuration.inboxes.compactMap(problem)
            + [socketProblem].compactMap(\.self) + overlaps
    }

    /// Every problem with a folder that a document type names, or an Inbox for what is rejected.
    var destinationProblems: [ConfigurationProblem] {
        var known: Set<String> = []
        return namedFolders.compactMap { path, origin in
            obstacle(path).map { ConfigurationProblem(origin, $0) }
        }.filter { known.insert($0.description).inserted }
    }

    /// The folders that documents are filed into, as far as they are named by absolute paths.
    var namedFolders: [(path: BytePath, origin: ConfigurationOrigin)] {
        let destinations = configuration.documentTypes.map { entry in
            (entry.settings.destination, entry.origins["Destination"]?.last ?? entry.origin)
        }
        let rejected = configuration.inboxes.compactMap { inbox in
            inbox.settings.rejected.map { template in
                let origins = inbox.overrides["Rejected"] ?? configuration.inboxDefaultsOrigins["Rejected"]
                return (template, origins?.last ?? inbox.origin)
            }
        }
        return (destinations + rejected).filter { $0.0.isAbsolute }.map { template, origin in
            (template.literalNames.reduce(BytePath("/")) { $0.appending($1) }, origin)
        }
    }

    /// Every Inbox that is never watched, since it is a link, or others could put another folder there: a reload takes it, and
    /// says so.
    var pathProblems: [ConfigurationProblem] {
        configuration.inboxes.filter { !mounts.isForeign($0.path) }.compactMap { inbox in
            do throws(SafePathError) {
                _ = try SafePath.open(inbox.path, .folder)
                return nil
            } catch {
                switch error {
                case .linkAtEnd, .tooManyLinks: break
                // Whom the daemon trusts is known only to its own user.
                case .unsafe: if !reportsRights { return nil }
                case .relative, .failed: return nil
                }
                return ConfigurationProblem(inbox.origin, "\(error)")
            }
        }
    }

    /// An Inbox inside Documents is made together with it; a file under the name of an Inbox is a document.
    private func problem(_ inbox: ConfiguredInbox) -> ConfigurationProblem? {
        let isBeside = inbox.path.parent != configuration.documents
        return obstacle(inbox.path, isInbox: true, isMadeInParent: isBeside).map {
            ConfigurationProblem(inbox.origin, $0)
        }
    }

    /// Only for a socket that somebody has placed: the usual places are made by systemd or by the daemon.
    private var socketProblem: ConfigurationProblem? {
        guard let origin = configuration.socketOrigin, let folder = configuration.socket.path.parent else { return nil }
        return obstacle(folder).map { ConfigurationProblem(origin, "Socket: \($0)") }
    }

    /// Returns the reason why a folder can neither be used nor made; nil if it can.
    private func obstacle(_ path: BytePath, isInbox: Bool = false, isMadeInParent: Bool = true) -> String? {
        if mounts.isForeign(path) { return nil }
        switch failure(path) {
        case .none: return nil
        case .some(let errno) where errno.isReadOnly: return closed(path, errno)
        case .some(let errno) where errno.isAbsent:
            if FileStatus.exists(path) { return isInbox ? nil : "\(path) is not a folder" }
        case .some(let errno): return denied(path, errno)
        }
        guard isMadeInParent, let parent = path.parent, !parent.bytes.isEmpty, let errno = failure(parent) else {
            return nil
        }
        if errno.isReadOnly { return closed(path, errno) }
        guard errno.isAbsent else { return denied(path, errno) }
        if FileStatus.exists(parent) { return "\(parent), in which \(path) belongs, is not a folder" }
        return "the folder \(parent), in which \(path) belongs, is missing: "
            + (Sandbox.remedy(for: path, errno) ?? "make it")
    }

    private func closed(_ path: BytePath, _ errno: Errno) -> String {
        let isDefault = path == configuration.documents && configuration.documentsOrigin == .builtIn
        let remedy = Sandbox.remedy(for: path, errno, isDefault: isDefault)
        return "cannot use the folder \(path): \(errno)" + (remedy.map { "; \($0)" } ?? "")
    }

    private func denied(_ path: BytePath, _ errno: Errno) -> String? {
        if let remedy = Sandbox.remedy(for: path, errno) { return "cannot use the folder \(path): \(remedy)" }
        return reportsRights ? "cannot use the folder \(path): \(errno); let the daemon's user read and write it" : nil
    }

    /// Returns why names cannot be added to and removed from a folder; nil where they can, or where only rights are
    /// missing and those who run the check need not be the user that the daemon runs as.
    private func failure(_ path: BytePath) -> Errno? {
        do throws(SyscallError) {
            let folder = try Directory.open(path: path)
            do throws(SyscallError) { try folder.mayChange() } catch {
                return error.errno.isReadOnly || reportsRights ? error.errno : nil
            }
            return nil
        } catch {
            return error.errno
        }
    }
}
