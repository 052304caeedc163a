/// The maximum number of clients at a time, and the number of connections that are reserved for people who look after
/// the daemon.
struct ConnectionLimits: Equatable {
    /// Connections at a time.
    let most: Int
    /// Connections at a time of one user.
    let mostPerUser: Int
    /// Connections that only root and the daemon's user get: an eighth, at most 4.
    let reserved: Int

    init(most: Int = 64, mostPerUser: Int = 16) {
        self.most = most
        self.mostPerUser = mostPerUser
        reserved = min(4, most / 8)
    }

    /// Returns true if one more client is served.
    /// - Parameters:
    ///   - count: the number of clients.
    ///   - own: the number of clients of the same user.
    ///   - isTrusted: whether the user is root or the daemon's own.
    func admits(count: Int, own: Int, isTrusted: Bool) -> Bool {
        if isTrusted { return count < most }
        return count < most - reserved && own < mostPerUser
    }

    /// Whose connection is closed for one more of this user's, where as many are connected as may be: the user's who has the
    /// most, at least two more than this one; nil where there is none.
    /// - Parameter counts: how many connections each user has that is neither root nor the daemon's own.
    func donor(for user: UInt32, isTrusted: Bool, among counts: [UInt32: Int]) -> UInt32? {
        let own = counts[user, default: 0]
        guard isTrusted || own < mostPerUser else { return nil }
        return counts.filter { $0.value >= own + 2 }.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}
