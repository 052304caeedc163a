import Testing

@testable import InboxDaemon

@Suite("The limits of connections")
struct ConnectionLimitsTests {
    @Test("The last connections are kept for root and the daemon's user, whatever others do")
    func reserved() {
        let limits = ConnectionLimits(most: 64, mostPerUser: 16)
        #expect(limits.admits(count: 59, own: 0, isTrusted: false))
        #expect(!limits.admits(count: 60, own: 0, isTrusted: false))
        #expect(limits.admits(count: 63, own: 60, isTrusted: true))
        #expect(!limits.admits(count: 64, own: 0, isTrusted: true))
    }

    @Test("Nobody else gets more than the share of one user")
    func share() {
        let limits = ConnectionLimits(most: 64, mostPerUser: 16)
        #expect(limits.admits(count: 20, own: 15, isTrusted: false))
        #expect(!limits.admits(count: 20, own: 16, isTrusted: false))
        #expect(limits.admits(count: 20, own: 16, isTrusted: true))
    }

    @Test("A small limit keeps none, so that others are served at all")
    func small() {
        #expect(ConnectionLimits(most: 1, mostPerUser: 1).admits(count: 0, own: 0, isTrusted: false))
        #expect(ConnectionLimits(most: 8, mostPerUser: 8).reserved == 1)
    }

    @Test("At the limit whoever has the most gives one up, though not to a user who would have as many then")
    func donor() {
        let limits = ConnectionLimits(most: 64, mostPerUser: 16)
        let counts: [UInt32: Int] = [1: 16, 2: 15, 3: 1]
        #expect(limits.donor(for: 4, isTrusted: false, among: counts) == 1)
        #expect(limits.donor(for: 3, isTrusted: false, among: counts) == 1)
        #expect(limits.donor(for: 2, isTrusted: false, among: counts) == nil)
        #expect(limits.donor(for: 1, isTrusted: false, among: counts) == nil)
        #expect(limits.donor(for: 0, isTrusted: true, among: counts) == 1)
        #expect(limits.donor(for: 4, isTrusted: false, among: [1: 1, 2: 1, 3: 1]) == nil)
        #expect(limits.donor(for: 4, isTrusted: false, among: [:]) == nil)
    }
}
