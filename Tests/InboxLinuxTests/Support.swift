import Glibc

@testable import InboxLinux

/// Asks until the answer is yes, for two minutes at most.
func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = Instant.now() + .seconds(120)
    while Instant.now() < end {
        if try condition() { return true }
        usleep(1000)
    }
    return try condition()
}
