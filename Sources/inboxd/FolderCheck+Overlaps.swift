import InboxConfiguration
import InboxLinux

extension FolderCheck {
    /// Every two Inboxes of which one is the other or lies in it, and every folder that documents are filed into and that is, or
    /// lies in, an Inbox: by symbolic links, which the configuration alone does not show.
    var overlaps: [ConfigurationProblem] {
        let inboxes = configuration.inboxes.compactMap { inbox in
            RealPath.ofFolder(inbox.path, besides: mounts).map { (inbox, $0) }
        }
        var problems: [ConfigurationProblem] = []
        for (index, (inbox, path)) in inboxes.enumerated() {
            for (earlier, other) in inboxes[..<index] {
                let words = path == other ? "is the same folder as" : "overlaps"
                guard path == other || path.isInside(other) || other.isInside(path) else { continue }
                problems.append(
                    ConfigurationProblem(
                        inbox.origin, "Inbox \(inbox.path) \(words) Inbox \(earlier.path): a symbolic link leads there")
                )
            }
        }
        let documents = (configuration.documents, configuration.documentsOrigin)
        for (place, origin) in [documents] + namedFolders {
            guard let path = RealPath.ofFolder(place, besides: mounts) else { continue }
            for (inbox, other) in inboxes where path == other || path.isInside(other) {
                problems.append(
                    ConfigurationProblem(origin, "\(place) lies in Inbox \(inbox.path): a symbolic link leads there"))
            }
        }
        return problems
    }
}
