import Glibc

/// A count that threads of this process wait for, sem_overview(7): each post wakes one of them, and no other.
package final class Semaphore: Sendable {
    /// Its address stays the same, and all that is called with it is safe on several threads.
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// A semaphore with this count.
    package init(_ count: Int) { sem_init(semaphore, 0, UInt32(clamping: count)) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Waits until there is a count, and takes one of it.
    package func wait() {
        // Only signals let it fail.
        while sem_wait(semaphore) != 0 {}
    }

    /// Adds one to the count.
    package func post() { sem_post(semaphore) }
}
