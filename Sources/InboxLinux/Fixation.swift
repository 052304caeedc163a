/// The immutable or append-only attribute (chattr(1)) that prevents a change, whatever the rights.
package enum Fixation {
    /// The file or folder.
    case itself
    /// The folder that it is in.
    case folder

    /// Creates the fixation that keeps a name from being removed from or added to a folder; nil if there is none.
    package init?(_ status: FileStatus, in around: FileStatus) {
        if status.isFixed {
            self = .itself
        } else if around.isFixed {
            self = .folder
        } else {
            return nil
        }
    }

    /// Creates the fixation of what is at a path, or will be there; nil if there is none.
    init?(at path: BytePath) {
        if Self.isFixed(path) {
            self = .itself
        } else if let folder = path.parent, Self.isFixed(folder) {
            self = .folder
        } else {
            return nil
        }
    }

    private static func isFixed(_ path: BytePath) -> Bool {
        do throws(SyscallError) { return try FileStatus(path: path).isFixed } catch {
            // It is not there, or nobody can say.
            return false
        }
    }

    /// The same and what to do, in words that follow a colon.
    package var words: String {
        switch self {
        case .itself: "it is immutable or for appending only, which \"chattr -i -a\" ends"
        case .folder: "its folder is immutable or for appending only, which \"chattr -i -a\" ends"
        }
    }
}
