import InboxLinux

extension ConfigurationFiles {
    /// The files of this machine. What is larger than 16 MiB is no configuration, and refused.
    package static var disk: ConfigurationFiles { ConfigurationFiles(content: content, names: names) }

    private static func content(_ path: BytePath) throws(ConfigurationReadError) -> [UInt8]? {
        let content: [UInt8]?
        do throws(SyscallError) {
            content = try FileDescriptor.reading(path: path).contents(limit: 16 << 20)
        } catch  where error.errno.isAbsent {
            if isLink(path) { throw ConfigurationReadError("it is a symbolic link to a file that does not exist") }
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
            return nil
        } catch {
            throw ConfigurationReadError("\(error.errno)")
        }
    }
}
