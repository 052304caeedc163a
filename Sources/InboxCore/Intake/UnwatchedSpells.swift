import InboxLinux

/// The spells in which folders were in an Inbox and not watched yet: a file may have been made in such a folder and renamed
/// out of it before anybody could hear of that, and then seems to be renamed in from outside.
struct UnwatchedSpells {
    private struct Spell {
        var begun: Timestamp
        var ended: Timestamp
    }

    /// Spells. Beyond this number the two oldest are merged into one, which includes the time between them.
    private static let most = 64
    /// For how long a folder may have existed that was gone before its creation was read.
    private static let brief = Duration.seconds(5)

    private var spells: [Spell] = []
    private var lastEnd = Timestamp(seconds: .min, nanoseconds: 0)

    /// A folder is watched from now on.
    /// - Parameter birth: when it was made; nil where the filesystem does not say.
    mutating func noteWatched(since birth: Timestamp?) {
        add(Spell(begun: birth ?? Timestamp(seconds: .min, nanoseconds: 0), ended: .now()))
    }

    /// A folder was made, and is gone.
    mutating func noteGone() {
        let moment = Moment.current()
        add(Spell(begun: moment.wall(at: moment.now - Self.brief), ended: moment.wall))
    }

    private mutating func add(_ spell: Spell) {
        if spells.count == Self.most {
            let first = spells.removeFirst()
            spells[0].begun = min(spells[0].begun, first.begun)
        }
        spells.append(spell)
        lastEnd = max(lastEnd, spell.ended)
    }

    /// Returns true if a file was made and last changed within one of the spells; a rename counts as a change too.
    func contain(_ status: FileStatus) -> Bool {
        guard status.changed <= lastEnd else { return false }
        guard let birth = status.identity.file.birth else { return true }
        return spells.contains { $0.begun <= birth && status.changed <= $0.ended }
    }
}
