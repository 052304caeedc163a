import InboxLinux

/// A name that the test knows to be one.
package func aName(_ text: String) -> FileName {
    guard let name = FileName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

/// Why the call failed; nil where it did not.
package func failureOf(_ body: () throws -> Void) -> Errno? {
    do {
        try body()
        return nil
    } catch let error as SyscallError {
        return error.errno
    } catch {
        preconditionFailure("no system call failed, but: \(error)")
    }
}
