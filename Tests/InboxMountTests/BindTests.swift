import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// One tree at several places: to rename(2) they are different filesystems.
    @Suite("Bind mounts")
    struct BindTests {
        @Test("Between two binds of one filesystem a document is copied, and nothing is left behind", Means.needed())
        func across() async throws {
            try await onMounts { stage, mounts in
                for name: TestPath in ["a", "b"] { try Disk.makeFolders(stage.root / "tree" / name) }
                try mounts.bind(stage.root / "tree/a", at: stage.root / "in")
                try mounts.bind(stage.root / "tree/b", at: stage.documents)
                try stage.useInbox(stage.root / "in")
                let source = stage.root / "in/letter.txt"
                try Disk.put([1], at: source)
                try #expect(Disk.status(source).st_dev == Disk.status(stage.documents).st_dev)
                let code = source.withCString { from in
                    (stage.documents / "x").withCString { rename(from, $0) == 0 ? 0 : errno }
                }
                #expect(code == EXDEV)
                try await stage.start()
                try await stage.expectFiled(stage.documents / "letter.txt", [1], from: source)
                try await stage.expectNothingStaged(beneath: stage.root)
            }
        }

        @Test("A bind mount inside an Inbox belongs to it, also when it comes while the daemon runs", Means.needed())
        func inside() async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                try Disk.makeFolders(stage.inbox / "bound")
                try await stage.start()
                try Disk.put([1], at: tree / "before.txt")
                try mounts.bind(tree, at: stage.inbox / "bound")
                try await stage.expectFiled(stage.documents / "bound/before.txt", [1], from: tree / "before.txt")
                // By its own place, which sends the same events.
                try Disk.put([2], at: tree / "after.txt")
                try await stage.expectFiled(stage.documents / "bound/after.txt", [2], from: tree / "after.txt")
                try mounts.unmount(stage.inbox / "bound", lazily: true)
                try Disk.put([3], at: stage.inbox / "bound/bare.txt")
                try await stage.expectFiled(
                    stage.documents / "bound/bare.txt", [3], from: stage.inbox / "bound/bare.txt")
                try Disk.put([4], at: tree / "gone.txt")
                try await stage.expectCounters(["seen": 3, "filed": 3, "waiting": 0])
            }
        }

        @Test(
            "A filesystem that is mounted inside an Inbox is not about to be removed once it is emptied",
            Means.needed())
        func emptied() async throws {
            try await onMounts(settings: ["Inbox.Settle=0", "Inbox.FolderSettle=0"]) { stage, mounts in
                let disk = stage.inbox / "disk"
                try mounts.memory(at: disk)
                try await stage.start()
                try Disk.put([1], at: disk / "a.txt")
                try await stage.expectFiled(stage.documents / "disk/a.txt", [1], from: disk / "a.txt")
                try await eventually {
                    let folder = try await stage.arrival("disk")
                    let words = folder["detail"]?.string ?? ""
                    return folder["next"] == nil && words.contains("mounted here") ? nil : "\(folder)"
                }
            }
        }

        @Test(
            "Two binds of one tree inside an Inbox: each document is filed once, at once, from one of them",
            Means.needed())
        func twice() async throws {
            // Without the safety scan only the events show it.
            try await onMounts(settings: ["Inbox.Settle=0", "Inbox.Rescan=1h"]) { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree / "inner")
                for name: TestPath in ["one", "two"] { try mounts.bind(tree, at: stage.inbox / name) }
                try await stage.start()
                for (index, name) in (["a.txt", "inner/b.txt", "c.txt"] as [TestPath]).enumerated() {
                    try Disk.put([UInt8(index)], at: tree / name)
                    try await eventually {
                        let places: [TestPath] = ["one", "two"]
                        let filed = places.filter { Disk.exists(stage.documents / $0 / name) }
                        return filed.count == 1 && !Disk.exists(tree / name) ? nil : "\(name) is filed at \(filed)"
                    }
                }
                // One of the two goes: the other must not lose its events.
                try mounts.unmount(stage.inbox / "two", lazily: true)
                try await eventually {
                    let names = try Disk.names(in: stage.inbox)
                    return names.contains("one") ? nil : "\(names)"
                }
                try await stage.expectCounters(["waiting": 0])
                try Disk.put([9], at: tree / "d.txt")
                try await stage.expectFiled(stage.documents / "one/d.txt", [9], from: tree / "d.txt")
                try await stage.expectFiledRecords(4)
                try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 4])
            }
        }

        @Test(
            "What would come back into the Inbox through a bind of Documents is held until that has gone",
            Means.needed())
        func circle() async throws {
            try await onMounts { stage, mounts in
                try Disk.makeFolders(stage.inbox / "loop")
                try mounts.bind(stage.documents, at: stage.inbox / "loop")
                try await stage.start()
                let source = stage.inbox / "letter.txt"
                try Disk.put([1], at: source)
                try await stage.expectListed("Inbox/letter.txt", state: "held", reasons: ["loops"])
                #expect(try Disk.leaves(of: stage.documents, except: [stage.inbox]).isEmpty)
                try mounts.unmount(stage.inbox / "loop", lazily: true)
                try await stage.expectFiled(stage.documents / "letter.txt", [1], from: source)
                try await stage.expectLeaves(["letter.txt"], of: stage.documents, except: [stage.inbox])
                try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 1])
            }
        }
    }
}
