import InboxLinux

/// The repositories that a survey has found in a folder: whether a clone is still under way shows there.
package struct SurveyedRepositories {
    /// The names of what holds the repository of a project, or says where that is: of git, and of Subversion, Mercurial,
    /// Bazaar, Jujutsu, Darcs, Pijul and Fossil.
    package static let names = ([".git"] + unsigned).compactMap { FileName($0) }
    private static let unsigned = [
        ".svn", "_svn", ".hg", ".bzr", ".jj", "_darcs", ".pijul", ".fossil", ".fslckout", "_FOSSIL_",
    ]
    /// Repositories: of more than so many it is not asked.
    private static let most = 64
    private static let (head, packed) = (FileName("HEAD").unsafelyUnwrapped, FileName("packed-refs").unsafelyUnwrapped)
    private static let (references, logs) = (FileName("refs").unsafelyUnwrapped, FileName("logs").unsafelyUnwrapped)
    /// Those of which nothing shows it.
    private static let others = (unsigned + ["CVS"]).compactMap { FileName($0) }
    /// The names that git uses while it writes: a file that it locks, a pack or an object that it receives.
    private static let locks = ["index", "HEAD", "config", "packed-refs", "shallow"].map { Array("\($0).lock".utf8) }
    private static let beginnings = ["tmp_pack_", "tmp_idx_", "tmp_rev_", "tmp_obj_"].map { Array($0.utf8) }

    /// The folders of git's repositories, and those of them that have references.
    private var found: (all: Set<[FileName]>, born: Set<[FileName]>) = ([], [])
    private var hasOthers = false

    /// One of them is not shown to be complete.
    var isYoung: Bool { hasOthers || !found.all.isSubset(of: found.born) }

    /// The survey has met a name.
    mutating func met(_ name: FileName) {
        if !hasOthers, name.count <= 9, Self.others.contains(name) { hasOthers = true }
    }

    /// The survey is at a file in the folder of these names. Returns whether that shows that somebody is writing.
    mutating func note(_ name: FileName, at path: @autoclosure () -> [FileName]) -> Bool {
        let bytes = name.bytes
        if bytes.starts(with: "tmp_".utf8), Self.beginnings.contains(where: bytes.starts(with:)) { return true }
        if bytes.last == UInt8(ascii: "k"), Self.locks.contains(where: bytes.elementsEqual) { return true }
        let folder = path()
        if let place = folder.lastIndex(of: Self.references) {
            if name != Self.head { insert(Array(folder[..<place]), into: \.born) }
        } else if name == Self.packed {
            insert(folder, into: \.born)
        } else if name == Self.head, !folder.contains(Self.logs) {
            insert(folder, into: \.all)
        }
        return false
    }

    private mutating func insert(
        _ folder: [FileName], into set: WritableKeyPath<(all: Set<[FileName]>, born: Set<[FileName]>), Set<[FileName]>>
    ) {
        if found.all.count < Self.most, found.born.count < Self.most { found[keyPath: set].insert(folder) }
    }
}
