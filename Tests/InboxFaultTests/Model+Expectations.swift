import InboxTestSupport

extension Model {
    /// Holds Documents to the model: each content that was dropped and not withdrawn is there exactly once.
    func expectEachOnce() throws {
        var left: [[UInt8]: ClosedRange<Int>] = [:]
        for document in documents {
            left[document.content] = document.allowed
            for content in document.earlier { left[content] = 0...document.visits }
        }
        var names: [[UInt8]: TestPath] = [:]
        var found: [TestPath] = []
        for leaf in try Disk.leaves(of: stage.documents, except: [stage.inbox]) where leaf.bytes.last != 0x2F {
            let content = try Disk.read(stage.documents / leaf)
            let start = escaped(content.prefix(60))
            guard let allowed = left[content] else {
                throw Failure("\(leaf) was never dropped so: \(start); \(try history(of: leaf))")
            }
            guard allowed.upperBound > 0 else {
                let other = names[content].map { "is there as \($0) too" } ?? "was withdrawn"
                throw Failure(
                    "\(leaf) \(other): \(start); \(try history(of: leaf)) \(try names[content].map(history) ?? "")")
            }
            left[content] = max(0, allowed.lowerBound - 1)...(allowed.upperBound - 1)
            names[content] = leaf
            found.append(leaf)
        }
        let lost = left.filter { $0.value.lowerBound > 0 }.map { escaped($0.key.prefix(60)) }
        guard lost.isEmpty else { throw Failure("\(lost.count) documents are lost: \(lost.prefix(5))") }
        try expectRecords(of: found)
    }

    private func history(of leaf: TestPath) throws -> String {
        let destination = leaf.bytes.first == UInt8(ascii: "/") ? leaf.bytes : (stage.documents / leaf).bytes
        let records = try crew.flatMap { try $0.filedRecords() }.filter {
            $0["destination"]?.string.map(pathBytes(fromJSON:)) == destination
        }
        let reported = records.map { record in
            ["id", "time", "source", "proof"].map { record[$0]?.string ?? "?" }.joined(separator: " ")
        }
        return "\(leaf): \(reported.joined(separator: ", "))"
    }

    /// Each document is recorded once. Where a daemon was killed between its journal and its rename, and another one gave
    /// the document the same name then, nothing tells whose rename it was: both may have recorded it, the first after
    /// its restart.
    private func expectRecords(of found: [TestPath]) throws {
        var names: [TestPath: Int] = [:]
        for stage in crew {
            var own: Set<TestPath> = []
            for record in try stage.filedRecords() {
                guard let name = record["destination"]?.string.map({ TestPath(pathBytes(fromJSON: $0)) }) else {
                    continue
                }
                guard own.insert(name).inserted else { throw Failure("recorded twice: \(try history(of: name))") }
                names[name, default: 0] += record["proof"]?.string == "recovered" && crew.count > 1 ? 0 : 1
            }
        }
        let several = try names.filter { $0.value > 1 }.prefix(5).map { try history(of: $0.key) }
        let missing = Set(found.map { stage.documents / $0 }).symmetricDifference(names.keys)
        guard several.isEmpty, missing.isEmpty else {
            throw Failure("recorded twice: \(several); recorded or there, not both: \(Array(missing.prefix(5)))")
        }
    }
}
