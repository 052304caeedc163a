import Glibc
import InboxTestSupport
import Testing

/// Those who reach a claimed source without its path: by a descriptor, another name, or an open(2) that waited.
extension CopyUnderWayTests {
    @Test(
        "Somebody who writes to its source all the same ends it, and it is filed once, with what was written",
        arguments: AcrossStage.Door.allCases, [nil, "openat(O_TMPFILE):*:95"])
    func writer(door: AcrossStage.Door, plan: String?) async throws {
        try await onStage(plan) { across in
            try await across.start()
            let (path, held) = try await across.beginCopy(through: door)
            defer { close(held) }
            let descriptor = try Disk.open(path, O_WRONLY | O_APPEND)
            var isOpen = true
            defer { if isOpen { close(descriptor) } }
            across.barrier.open()
            try await expectListed(across, "big.bin", reason: "writing")
            #expect(Disk.exists(across.inbox / "big.bin"), "it is back under its name")
            try Disk.write(Array("and more".utf8), to: descriptor, path)
            try await across.expect([:], left: ["big.bin"])
            close(descriptor)
            isOpen = false
            try await across.stage.expectCounters(["filed": 1, "waiting": 0])
            try await across.expect(["big.bin": AcrossStage.large() + Array("and more".utf8)])
        }
    }

    @Test("A writer who waited in open(2) for the lease of the claim gets the document, and it is filed once")
    func waiting() async throws {
        try await onStage(before: "renameat@/source-", at: ["1"]) { across in
            try await across.start()
            try await across.beginCopy()
            let source = across.inbox / "big.bin"
            let writer = try WaitingWriter { try Disk.open(source, O_WRONLY | O_APPEND) }
            try await across.expectBreaking(source)
            across.barrier.open()
            let descriptor = try await writer.opened()
            var isOpen = true
            defer { if isOpen { close(descriptor) } }
            try await expectListed(across, "big.bin", reason: "writing")
            try Disk.write(Array("and more".utf8), to: descriptor, source)
            try await across.expect([:], left: ["big.bin"])
            close(descriptor)
            isOpen = false
            try await across.stage.expectCounters(["filed": 1, "waiting": 0])
            try await across.expect(["big.bin": AcrossStage.large() + Array("and more".utf8)])
        }
    }

    @Test("A source that is truncated is filed once, as what it became", arguments: AcrossStage.Door.allCases)
    func truncated(door: AcrossStage.Door) async throws {
        try await onStage { across in
            try await across.start()
            let (path, held) = try await across.beginCopy(through: door)
            defer { close(held) }
            try Disk.check("truncate", path, path.withCString { truncate($0, 5) })
            across.barrier.open()
            try await across.stage.expectCounters(["filed": 1, "waiting": 0])
            try await across.expect(["big.bin": [1, 1, 1, 1, 1]])
        }
    }

    @Test(
        "What somebody writes to its source after the copy has its name is another document, and both are filed",
        arguments: AcrossStage.Door.allCases)
    func late(door: AcrossStage.Door) async throws {
        try await onStage(before: "write@/history.jsonl", at: ["1"]) { across in
            try await across.start()
            let (path, held) = try await across.beginCopy(through: door)
            defer { close(held) }
            #expect(Disk.exists(across.stage.documents / "big.bin"))
            let writer = try WaitingWriter { try Disk.open(path, O_WRONLY | O_APPEND) }
            try await across.expectBreaking(path)
            across.barrier.open()
            let descriptor = try await writer.opened()
            try Disk.write(Array("and more".utf8), to: descriptor, path)
            close(descriptor)
            try await across.stage.expectCounters(["filed": 2, "waiting": 0])
            let changed = AcrossStage.large() + Array("and more".utf8)
            try await across.expect(["big.bin": AcrossStage.large(), "big-1.bin": changed])
        }
    }

    @Test("Another name of its source that goes after the copy has its own makes no second document of it")
    func otherName() async throws {
        try await onStage(before: "write@/history.jsonl", at: ["1"]) { across in
            try await across.start()
            let (path, held) = try await across.beginCopy(through: .name)
            defer { close(held) }
            try Disk.remove(path)
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0])
            try await across.expect(["big.bin": AcrossStage.large()])
        }
    }
}
