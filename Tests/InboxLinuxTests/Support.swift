import Glibc
import Testing

@testable import InboxLinux

/// A name that the test knows to be one.
func name(_ text: String) -> FileName {
    guard let name = FileName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

/// Why the call failed; nil where it did not.
func failure(_ body: () throws -> Void) -> Errno? {
    do {
        try body()
        return nil
    } catch let error as SyscallError {
        return error.errno
    } catch {
        Issue.record(error)
        return nil
    }
}

/// Asks until the answer is yes, for 20 s at most.
func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = Instant.now() + .seconds(20)
    while Instant.now() < end {
        if try condition() { return true }
        usleep(1000)
    }
    return try condition()
}
