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
            try await AcrossStage.expectBreaking(source)
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
            try await AcrossStage.expectBreaking(path)
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

    @Test(
        "Who opens a source to write is not kept waiting while another document of the same job is copied",
        arguments: AcrossStage.Door.allCases)
    func firstOfTwo(door: AcrossStage.Door) async throws {
        // Four MiB each: the sixth is in the middle of the second.
        try await onStage(at: ["6"]) { across in
            let names: [TestPath] = ["1.bin", "2.bin"]
            let content = { (index: Int) in [UInt8](repeating: UInt8(index + 1), count: 4 << 20) }
            var held: [Int32] = []
            defer { for descriptor in held { close(descriptor) } }
            try await across.start()
            #expect(try await across.stage.control(["pause"]).exit == .status(0))
            var paths: [TestPath] = []
            for (index, name) in names.enumerated() {
                let file = across.outside / name
                try Disk.put(content(index), at: file)
                held.append(try Disk.open(file, O_RDONLY))
                let other = across.outside / TestPath("another \(index)")
                if door == .name { try Disk.link(file, to: other) }
                paths.append(door == .name ? other : TestPath("/proc/self/fd/\(held[index])"))
                try Disk.move(file, to: across.inbox / name)
            }
            for name in names { try await expectListed(across, name, reason: "paused") }
            #expect(try await across.stage.control(["resume"]).exit == .status(0))
            try await across.barrier.reached()
            // One job claims all of its documents before it copies the first.
            for name in names { _ = try across.staged(name) }
            for path in paths { close(try Disk.open(path, O_WRONLY | O_NONBLOCK)) }
            across.barrier.open()
            try await across.stage.expectCounters(["seen": 2, "filed": 2])
            try await across.expect(["1.bin": content(0), "2.bin": content(1)])
        }
    }
}
