import InboxLinux

extension ConfigurationFiles {
    /// The files of this machine. What is larger than 16 MiB is no configuration, and refused.
    package static var disk: ConfigurationFiles { ConfigurationFiles(content: content, names: names) }

    private static func content(_ path: BytePath) throws(ConfigurationReadError) -> [UInt8]? {
        let content: [UInt8]?
        do throws(SyscallError) {
            content = try FileDescriptor.reading(path: path).contents(limit: 16 << 20)
        } catch  where error.errno.isAbsent {
            if isLink(path) { throw ConfigurationReadError(deadLink(error.errno, "file")) }
            return nil
        } catch {
            throw ConfigurationReadError(isSpecial(path) ? "it is not a regular file" : "\(error.errno)")
        }
        guard let content else { throw ConfigurationReadError("it is larger than 16 MiB") }
        return content
    }

    private static func isLink(_ path: BytePath) -> Bool {
        do throws(SyscallError) { return try FileStatus(path: path).kind == .symlink } catch { return false }
    }

    private static func isSpecial(_ path: BytePath) -> Bool {
        do throws(SyscallError) { return try FileStatus(target: path).kind == .special } catch { return false }
    }

    private static func names(_ path: BytePath) throws(ConfigurationReadError) -> [FileName]? {
        do throws(SyscallError) {
            var entries = try DirectoryEntries(of: try Directory.open(path: path))
            var names: [FileName] = []
            while let entry = try entries.next() { names.append(entry.name) }
            return names
        } catch  where error.errno.isAbsent {
            // What has the folder's name, and is none, was meant to be read.
            if FileStatus.exists(path) { throw ConfigurationReadError("it is not a folder") }
            if isLink(path) { throw ConfigurationReadError(deadLink(error.errno, "folder")) }
            return nil
        } catch {
            throw ConfigurationReadError("\(error.errno)")
        }
    }

    private static func deadLink(_ errno: Errno, _ kind: String) -> String {
        if errno == .loop { return "it is a symbolic link that leads back to itself" }
        return "it is a symbolic link to a \(kind) that does not exist"
    }
}
