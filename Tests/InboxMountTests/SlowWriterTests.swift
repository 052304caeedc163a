import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// Writers on the far side of a FUSE mount, whom no lease shows and no event reports.
    @Suite("Slow writers behind bindfs")
    struct SlowWriterTests {
        static let means = Means.needed(.fuse, .program("bindfs"))

        /// Milliseconds between two writes, and how many there are: all of them less than the quiet time apart.
        private static let paces = [(pause: 1500, writes: 6), (pause: 2000, writes: 5), (pause: 4000, writes: 3)]

        @Test(
            "Documents that are written every 1.5, 2 and 4 seconds are filed once they are complete, moved or copied",
            means, arguments: [false, true])
        func slow(isAcross: Bool) async throws {
            try await onMounts { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree / "Inbox")
                // Where Documents lies on the mount too, a document is moved inside it.
                let (shown, point) = isAcross ? (tree / "Inbox", stage.inbox) : (tree, stage.documents)
                try mounts.serve("bindfs", ["-f", shown, point], at: point)
                stage.settings = ["Inbox.Settle=1s"]
                try await stage.start()
                let late = try Self.write(in: tree / "Inbox")
                for (index, pace) in Self.paces.enumerated() where !late.contains(index) {
                    let name = Self.name(index)
                    try await stage.expectFiled(
                        stage.documents / name, (0..<pace.writes).map { UInt8($0) }, from: stage.inbox / name)
                    try await stage.expectRecord([("destination", name), ("proof", "quiet-time")])
                }
            }
        }

        private static func name(_ index: Int) -> TestPath { TestPath("letter \(index).txt") }

        /// Writes all documents, each at its pace.
        /// - Returns: those whose writer kept them waiting for nearly the quiet time, on a busy machine: nothing can be
        ///   expected of them.
        private static func write(in folder: TestPath) throws -> Set<Int> {
            let clock = ContinuousClock()
            let start = clock.now
            let writes = paces.indices.flatMap { index in
                (0..<paces[index].writes).map { (index: index, number: $0, at: paces[index].pause * $0) }
            }
            var late: Set<Int> = []
            var last: [Int: ContinuousClock.Instant] = [:]
            for (index, number, time) in writes.sorted(by: { $0.at < $1.at }) {
                pause(start + .milliseconds(time) - clock.now)
                if let before = last[index], clock.now - before > .milliseconds(4800) { late.insert(index) }
                if late.contains(index) { continue }
                last[index] = clock.now
                let path = folder / name(index)
                if number == 0 { try Disk.put([0], at: path) } else { try Disk.append([UInt8(number)], to: path) }
            }
            return late
        }
    }
}
