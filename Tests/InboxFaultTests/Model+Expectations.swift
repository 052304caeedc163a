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
        let destination = (stage.documents / leaf).bytes
        let records = try stage.filedRecords().filter {
            $0["destination"]?.string.map(pathBytes(fromJSON:)) == destination
        }
        let reported = records.map { record in
            ["id", "time", "source", "proof"].map { record[$0]?.string ?? "?" }.joined(separator: " ")
        }
        return "\(leaf): \(reported.joined(separator: ", "))"
    }

    private func expectRecords(of found: [TestPath]) throws {
        let destinations = try stage.filedRecords().compactMap { $0["destination"]?.string }
            .map { TestPath(pathBytes(fromJSON: $0)) }
        let unrecorded = Set(found.map { stage.documents / $0 }).subtracting(destinations)
        guard unrecorded.isEmpty, destinations.count == found.count else {
            throw Failure(
                "\(destinations.count) records of \(found.count) documents; none of \(unrecorded.prefix(5))")
        }
    }
}
