import InboxConfiguration
import InboxLinux
import Testing

@testable import InboxDaemon

@Suite("The limits of connections")
struct ConnectionLimitsTests {
    private func limits(most: Int, perUser: Int) -> ConnectionLimits {
        var settings = ControlSettings()
        (settings.maxConnections, settings.maxConnectionsPerUser) = (most, perUser)
        return ConnectionLimits(settings)
    }

    @Test("The last connections are kept for root and the daemon's user, whatever others do")
    func reserved() {
        let limits = limits(most: 64, perUser: 16)
        #expect(limits.admits(count: 59, own: 0, isTrusted: false))
        #expect(!limits.admits(count: 60, own: 0, isTrusted: false))
        #expect(limits.admits(count: 63, own: 60, isTrusted: true))
        #expect(!limits.admits(count: 64, own: 0, isTrusted: true))
    }

    @Test("Nobody else gets more than the share of one user")
    func share() {
        let limits = limits(most: 64, perUser: 16)
        #expect(limits.admits(count: 20, own: 15, isTrusted: false))
        #expect(!limits.admits(count: 20, own: 16, isTrusted: false))
        #expect(limits.admits(count: 20, own: 16, isTrusted: true))
    }

    @Test("A small limit keeps none, so that others are served at all")
    func small() {
        #expect(limits(most: 1, perUser: 1).admits(count: 0, own: 0, isTrusted: false))
        #expect(limits(most: 8, perUser: 8).reserved == 1)
    }
}
