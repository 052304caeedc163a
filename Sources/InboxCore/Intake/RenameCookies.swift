import InboxLinux

/// The cookies of the names that have left walked folders: a name that appears with one of them was renamed inside an Inbox,
/// or from one Inbox to another, and has not come from elsewhere.
///
/// The halves of a rename are two events, which other events may separate, and which may be read apart: inotify(7). The
/// kernel numbers the renames of the whole machine one after the other, so a table by the last digits of these numbers
/// forgets a cookie only once so many others have followed it.
struct RenameCookies {
    /// The number of cookies that are remembered; a power of two.
    static let count: UInt32 = 1024
    /// The time after an overflow of the kernel's queue for which the first half of a rename may be among the lost
    /// events. It is as long as the loop may take for a whole queue, since of several overflows only the first that
    /// is read is reported.
    static let doubt = Duration.seconds(10)

    private var table = [UInt32](repeating: 0, count: Int(count))
    private var doubtfulUntil = Instant(nanoseconds: .min)

    /// A name has left a walked folder.
    mutating func note(_ cookie: UInt32) { table[Int(cookie % Self.count)] = cookie }

    /// Events were lost.
    mutating func noteOverflow(at now: Instant) { doubtfulUntil = now + Self.doubt }

    /// Returns true if the name that appears with this cookie has left a walked folder. If that is no longer known,
    /// the answer is also true, so that the file has its quiet time.
    func has(_ cookie: UInt32, at now: Instant) -> Bool {
        let found = table[Int(cookie % Self.count)]
        if now < doubtfulUntil { return true }
        // A later rename may have taken the place of this one. No rename has the number 0.
        return found != 0 && Int32(bitPattern: found &- cookie) >= 0
    }
}
