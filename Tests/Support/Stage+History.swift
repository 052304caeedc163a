/// What the daemon wrote down.
extension Stage {
    /// Every record of the history, rotated files first; each line has to be a whole record.
    package func history() throws -> [JSONValue] {
        guard Disk.kind(state) == .folder else { return [] }
        let rotated = try Disk.names(in: state).filter { name in
            let text = String(describing: name)
            return text.hasPrefix("history-") && text.hasSuffix(".jsonl")
        }
        let files = (rotated + ["history.jsonl"]).map { state / $0 }.filter { Disk.exists($0) }
        return try files.flatMap { try JSONValue.parseLines(Disk.text($0)) }
    }

    /// The records of filed documents, each held to the contract: its members, and an id that no other has.
    package func filedRecords() throws -> [JSONValue] {
        var seen: Set<String> = []
        let filed = try history().filter { record in
            guard let id = record["id"]?.string, let time = record["time"]?.string, record["event"]?.string != nil
            else { throw Failure("a record lacks id, time or event: \(record)") }
            guard time.hasSuffix("Z"), time.contains("T") else { throw Failure("not RFC 3339 in UTC: \(time)") }
            guard record["event"]?.string == "filed" else { return false }
            guard seen.insert(id).inserted else { throw Failure("the id \(id) is twice in the history") }
            return true
        }
        for record in filed {
            for member in ["source", "destination", "type", "evidence"] where record[member]?.string == nil {
                throw Failure("a record lacks \(member): \(record)")
            }
            guard record["size"]?.integer != nil, case .boolean = record["renamed"] else {
                throw Failure("a record lacks size or renamed: \(record)")
            }
        }
        return filed
    }

    /// Waits until the history holds so many filed documents; more is a failure at once, since none ever goes.
    package func expectFiledRecords(_ count: Int) async throws {
        try await eventually {
            // A line that is being written may be cut off for an instant.
            guard let records = try? filedRecords() else { return "the history is not whole: \(brokenHistory())" }
            guard records.count <= count else {
                throw Failure("\(records.count) filed records instead of \(count): \(records)")
            }
            return records.count == count ? nil : "\(records.count) filed records instead of \(count)"
        }
    }

    private func brokenHistory() -> String {
        do {
            return "\(try filedRecords().count) records"
        } catch {
            return String(describing: error)
        }
    }

    /// Waits until a filed document's record has all these members; paths may be given by their last components.
    package func expectRecord(_ members: [(key: String, value: TestPath)]) async throws {
        try await eventually {
            guard let records = try? filedRecords() else { return "the history is not whole: \(brokenHistory())" }
            let found = records.contains { record in
                members.allSatisfy { key, value in
                    guard let actual = record[key] else { return false }
                    if key == "source" || key == "destination" {
                        return TestPath(pathBytes(fromJSON: actual.word)).ends(with: value)
                    }
                    return actual.word == value.description
                }
            }
            return found ? nil : "no such record among \(records)"
        }
    }
}
