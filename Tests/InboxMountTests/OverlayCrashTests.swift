import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// A crash at every call, where each rename makes another file of a document.
    @Suite("Crashes on overlays")
    struct OverlayCrashTests {
        static let means = Means.needed(.filesystem("overlay"))

        @Test(
            "After a kill after any change, the next start leaves one copy under one name and one record", means,
            arguments: [false, true])
        func killed(_ isAcross: Bool) async throws {
            try await onMounts { stage, mounts in
                try stage.useInbox(stage.documents / "Inbox")
                let targets = try await changes(stage, mounts, isAcross)
                var kills = 0
                for target in targets {
                    try prepare(stage, mounts, isAcross)
                    let killed = try await run(stage, isAcross, target.plan("KILL"))
                    if killed == .signal(SIGKILL) { kills += 1 }
                    let places = [stage.inbox / "letter.txt", destination(stage, isAcross) / "letter.txt"]
                    let isWhole = places.contains { (try? Disk.read($0)) == Array("Dear".utf8) }
                    let isStaged = try stage.staged(beneath: stage.documents).contains { leaf in
                        guard leaf.ends(with: "letter.txt"), "\(leaf)".contains("/source-") else { return false }
                        return try Disk.read(stage.documents / leaf) == Array("Dear".utf8)
                    }
                    guard isWhole || isStaged else { throw Failure("killed at \(target), the document is lost") }
                    try await expectRecovered(stage, isAcross, target)
                    try undo(stage, mounts, isAcross)
                }
                // Threads call side by side: a change of the last moment may come too late to be made.
                #expect(kills > 5 && kills > targets.count - 3, "\(kills) of \(targets)")
            }
        }

        private func expectRecovered(_ stage: Stage, _ isAcross: Bool, _ target: Target) async throws {
            let exit = try await run(stage, isAcross, nil)
            let reported = "killed at \(target), the next run: \(exit): \(stage.lastRun?.errors ?? "")"
            guard exit == .status(0) else { throw Failure(reported) }
            let found = try Disk.leaves(of: destination(stage, isAcross), except: [stage.inbox])
            guard found == ["letter.txt"] else { throw Failure("\(reported): \(found)") }
            let staged = try stage.staged(beneath: stage.documents)
            guard staged.isEmpty else { throw Failure("\(reported): \(staged) are left") }
            guard try Disk.read(destination(stage, isAcross) / "letter.txt") == Array("Dear".utf8) else {
                throw Failure("\(reported): other bytes")
            }
            let left = try Disk.names(in: stage.inbox)
            guard left.isEmpty else { throw Failure("\(reported): left in the Inbox: \(left)") }
            let records = try stage.filedRecords()
            guard records.count == 1 else { throw Failure("\(reported): \(records)") }
        }

        /// The calls that change something: a kill before each leaves another state than one before the call before.
        private func changes(_ stage: Stage, _ mounts: Mounts, _ isAcross: Bool) async throws -> [Target] {
            try prepare(stage, mounts, isAcross)
            stage.variables = ["INBOXD_TRACE=\(stage.root)/trace"]
            _ = try await run(stage, isAcross, nil)
            let trace = try CallTrace(reading: stage.root / "trace")
            stage.variables = []
            try undo(stage, mounts, isAcross)
            let calls = trace.calls
            guard let seen = calls.firstIndex(where: { $0.mentions("letter.txt") }) else {
                throw Failure("the trace reports no document")
            }
            // What goes to standard error or another thread changes no file.
            return trace.targets(
                (seen + 1...calls.count).filter { calls[$0 - 1].isChange && calls[$0 - 1].mentions("/") })
        }

        private func run(_ stage: Stage, _ isAcross: Bool, _ plan: String?) async throws -> Program.Exit {
            stage.variables.removeAll { $0.hasPrefix("INBOXD_FAULT") }
            if let plan { stage.variables = ["INBOXD_FAULT=\(plan)"] }
            try await stage.runDaemon(["--once", "--documents", destination(stage, isAcross)])
            return stage.lastRun?.exit ?? .status(-1)
        }

        private func destination(_ stage: Stage, _ isAcross: Bool) -> TestPath {
            isAcross ? stage.root / "elsewhere" : stage.documents
        }

        /// A fresh overlay with a document in its lower layer.
        private func prepare(_ stage: Stage, _ mounts: Mounts, _ isAcross: Bool) throws {
            let layers = stage.root / "layers"
            try mounts.memory(at: layers)
            try Disk.makeFolders(layers / "lower/Inbox")
            try Disk.put(Array("Dear".utf8), at: layers / "lower/Inbox/letter.txt")
            try mounts.overlay(
                lower: layers / "lower", upper: layers / "upper", work: layers / "work", at: stage.documents)
            if isAcross { try mounts.memory(at: stage.root / "elsewhere") }
        }

        private func undo(_ stage: Stage, _ mounts: Mounts, _ isAcross: Bool) throws {
            if isAcross { try mounts.unmount(stage.root / "elsewhere") }
            try mounts.unmount(stage.documents)
            try mounts.unmount(stage.root / "layers")
            try Disk.removeTree(stage.state)
        }
    }
}
