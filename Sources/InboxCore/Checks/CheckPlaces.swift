import InboxLinux

/// The places of a check: so many of its programs run at once. Whoever is next waits for one on its own thread, with its
/// document opened, so that between two programs nobody waits for the loop.
final class CheckPlaces: Sendable {
    private let free: Bell

    /// All of them are free.
    init(_ count: Int) throws(SyscallError) {
        free = try Bell.counting()
        for _ in 0..<count { free.ring() }
    }

    /// Takes a place, and waits for one where none is free.
    func enter() { free.awaitTurn() }

    /// Gives a place back.
    func leave() { free.ring() }
}
