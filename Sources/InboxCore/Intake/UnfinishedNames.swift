import InboxConfiguration
import InboxLinux

/// The names in one walked folder that show that others are not finished. In nearly every folder there is none.
struct UnfinishedNames {
    /// Names: of more in one folder only those are known that have the name of their document at the beginning.
    private static let most = 4_096

    private var names: [UnfinishedName.Subject: [FileName]] = [:]
    private var count = 0

    /// There was none so far.
    var isEmpty: Bool { names.isEmpty }

    /// Takes note of a name and what it shows to be unfinished. Returns whether that is new.
    mutating func note(_ name: FileName, _ found: UnfinishedName) -> Bool {
        var isNew = false
        for subject in found.subjects where names[subject]?.contains(name) != true {
            guard count < Self.most else { return isNew }
            names[subject, default: []].append(name)
            count += 1
            isNew = true
        }
        return isNew
    }

    /// All of the names.
    var all: Set<FileName> { Set(names.values.joined()) }

    /// The names that show something of this one. Those that are no longer there are forgotten.
    mutating func names(about name: FileName, isThere: (FileName) -> Bool) -> [FileName] {
        guard !names.isEmpty else { return [] }
        var found: [FileName] = []
        for subject in UnfinishedName.subjects(of: name) {
            guard let known = names[subject] else { continue }
            let there = known.filter(isThere)
            count -= known.count - there.count
            names[subject] = there.isEmpty ? nil : there
            found += there.filter { $0 != name && !found.contains($0) }
        }
        return found
    }
}
