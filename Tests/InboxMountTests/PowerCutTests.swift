import InboxTestSupport
import Testing

/// A power cut before every change of the daemon: what it has not synced is lost with it.
@Suite("Power cuts", .serialized)
struct PowerCutTests {
    @Test(
        "After a power cut before any change, the next start leaves one copy, one name and one record: ext4",
        Means.loop("ext4"), arguments: [false, true])
    func ext4(_ isAcross: Bool) async throws { try await expectNoLoss("ext4", "16M", isAcross) }

    @Test(
        "After a power cut before any change, the next start leaves one copy, one name and one record: xfs",
        Means.loop("xfs"), arguments: [false, true])
    func xfs(_ isAcross: Bool) async throws { try await expectNoLoss("xfs", "320M", isAcross) }

    @Test(
        "After a power cut before any change, the next start leaves one copy, one name and one record: btrfs",
        Means.loop("btrfs"), arguments: [false, true])
    func btrfs(_ isAcross: Bool) async throws { try await expectNoLoss("btrfs", "128M", isAcross) }

    @Test("Documents are lost where a disk keeps nothing of what is synced, and that is seen", Means.loop("ext4"))
    func lying() async throws {
        try await onMounts(in: .powerCuts) { stage, mounts in
            let trial = try PowerCutTrial("ext4", "16M", isAcross: true, stage, mounts)
            let lie = ["fsync", "fdatasync", "sync_file_range"].map { "\($0):*:SKIP" }
            let targets = try await trial.changes()
            var losses = 0
            for target in targets.suffix(targets.count / 2) where losses == 0 {
                do { _ = try await trial.play(target, beside: lie) } catch is Failure { losses += 1 }
            }
            #expect(losses > 0)
        }
    }

    private func expectNoLoss(_ kind: String, _ size: String, _ isAcross: Bool) async throws {
        try await onMounts(in: .powerCuts) { stage, mounts in
            let trial = try PowerCutTrial(kind, size, isAcross: isAcross, stage, mounts)
            var random = Extent.generator(for: "power cuts of \(kind), \(isAcross)")
            let targets = try await trial.changes().shuffled(using: &random).prefix(Extent.times(24, part: 5))
            var cuts = 0
            for target in targets where try await trial.play(target) { cuts += 1 }
            // Threads call side by side: a change of the last moment may come too late to be made.
            let words = "INBOX_TESTS_SEED=\(Extent.seed): \(cuts) of \(targets)"
            #expect(cuts > 3 && cuts > targets.count - targets.count / 10 - 2, "\(words)")
        }
    }
}
