import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite("Paths that others may have led astray")
struct GuardedPathTests {
    private let way = GuardedPath(followingLinksOf: [Process.user]) { _ in true }

    /// What is found on a path that goes to and fro between two folders, and how many folders were entered for that.
    private func walk(_ steps: Int) throws -> (FileStatus?, entered: Int) {
        let folder = try TemporaryFolder()
        folder.makeFolder("in")
        let path = BytePath(folder.path + String(repeating: "/in/..", count: steps / 2))
        var entered = 0
        let status = try way.find(path, isFollowed: true) { _ in
            entered += 1
            return true
        }?.status
        return (status, entered)
    }

    @Test("A path of some hundred components is followed to its end")
    func long() throws { #expect(try walk(400).0?.kind == .directory) }

    @Test("A path that nobody can have needed is given up before anything on it is asked")
    func tooLong() throws {
        let (found, entered) = try walk(20_000)
        #expect(found == nil && entered == 0)
    }
}
