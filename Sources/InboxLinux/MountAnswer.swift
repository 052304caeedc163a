/// The reply of a mount's server to a question.
package enum MountAnswer {
    /// Asks the server of what is mounted here, not what is remembered of its last reply, and waits for as long as it
    /// takes. An error is an answer too.
    package static func wait(at mount: BytePath) {
        guard let parent = mount.parent, let name = FileName(mount.lastComponent) else { return }
        do throws(SyscallError) { _ = try Directory.open(path: parent).status(of: name, isFresh: true) } catch {
            // The server is alive: whoever uses the mount gets the error.
        }
    }
}
