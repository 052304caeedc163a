import InboxConfiguration
import InboxFiling
import InboxLinux

/// The content that makes a folder one item with all in it: the repository of a version control system, or the three
/// folders of a Maildir, which are worth nothing without each other.
enum WholeFolder {
    /// The names of what holds the repository of a project.
    static let repositories = SurveyedRepositories.names
    /// The folder that CVS makes in each folder of a project, and what is in it: there are other folders of that name.
    private static let (cvs, root) = (FileName("CVS").unsafelyUnwrapped, FileName("Root").unsafelyUnwrapped)
    /// A bare repository; a Maildir.
    private static let groups = [["HEAD", "objects", "refs"], ["cur", "new", "tmp"]].map { names in
        names.compactMap { FileName($0) }
    }

    /// The names by one of which such a folder is found again.
    static let marks = repositories + groups.compactMap(\.first)

    /// Returns the walked folder that a name in a folder may make one item; nil for nearly every name.
    static func candidate(_ name: FileName, in folder: Folder) -> Folder? {
        guard (3...9).contains(name.count), let (parent, own) = folder.parent else { return nil }
        if name == root, own == cvs { return parent.parent == nil ? nil : parent }
        return repositories.contains(name) || groups.contains { $0.contains(name) } ? folder : nil
    }

    /// Returns whether a folder is one item by what it holds.
    static func contains(_ folder: borrowing Directory, _ ignoring: Ignoring) throws(SyscallError) -> Bool {
        for name in repositories where !ignoring.ignores(name, isInside: true) {
            if try kind(of: name, in: folder) != nil { return true }
        }
        if try kind(of: cvs, in: folder) == .directory, try folder.holds(root, in: cvs, mayCross: false) { return true }
        for group in groups {
            var isComplete = true
            for (index, name) in group.enumerated() where isComplete {
                let kind = try kind(of: name, in: folder)
                // Only the first name of a repository is that of a file.
                isComplete = kind == .directory || (index == 0 && name.count == 4 && kind == .regular)
            }
            if isComplete { return true }
        }
        return false
    }

    private static func kind(of name: FileName, in folder: borrowing Directory) throws(SyscallError) -> FileStatus.Kind?
    {
        do throws(SyscallError) { return try folder.rememberedStatus(of: name).kind } catch {
            if error.errno.isAbsent { return nil }
            throw error
        }
    }
}
