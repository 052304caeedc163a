import Glibc
import InboxTestSupport
import Testing

@Suite("A thousand documents", .serialized)
struct AcceptanceThousands {
    @Test("A thousand documents that cp -r brings are all filed, equal to the byte")
    func copied() async throws {
        try await onStage { stage in
            try Thousand.make(in: stage.root / "outside/tree")
            try await stage.start()
            let copy = try await stage.run("cp", ["-r", stage.root / "outside/tree", stage.inbox])
            guard copy.exit == .status(0) else { throw Failure("cp: \(copy.exit): \(copy.errors)") }
            try await Thousand.expectFiled(on: stage, beneath: "tree")
        }
    }

    @Test("A thousand documents that come with one mv of a folder are all filed, equal to the byte")
    func moved() async throws {
        try await onStage { stage in
            try Thousand.make(in: stage.root / "outside/tree")
            try await stage.start()
            let move = try await stage.run("mv", [stage.root / "outside/tree", stage.inbox])
            guard move.exit == .status(0) else { throw Failure("mv: \(move.exit): \(move.errors)") }
            try await Thousand.expectFiled(on: stage, beneath: "tree")
        }
    }

    @Test("A thousand documents that are written slowly, with pauses, are filed when they are complete")
    func slowly() async throws {
        try await onStage { stage in
            try await stage.start()
            for first in stride(from: 0, to: Thousand.count, by: 50) {
                try await writeSlowly(first..<(first + 50), on: stage)
            }
            try await Thousand.expectFiled(on: stage)
        }
    }

    /// Fifty writers at a time, each with a pause in the middle of its document.
    private func writeSlowly(_ indices: Range<Int>, on stage: Stage) async throws {
        var open: [(index: Int, descriptor: Int32)] = []
        defer { for writer in open { close(writer.descriptor) } }
        for index in indices {
            let path = stage.inbox / Thousand.name(index)
            try Disk.makeFolders(path.parent)
            open.append((index, try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)))
            let content = Thousand.content(index)
            try Disk.write(Array(content.prefix(content.count / 2)), to: open[open.count - 1].descriptor, path)
        }
        // The pause is the point here: the daemon has to leave half a document alone.
        pause(.milliseconds(60))
        for writer in open {
            let content = Thousand.content(writer.index)
            let path = stage.inbox / Thousand.name(writer.index)
            try Disk.write(Array(content.dropFirst(content.count / 2)), to: writer.descriptor, path)
        }
    }
}
