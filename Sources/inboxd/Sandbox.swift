import InboxLinux

/// The folders that a unit's sandbox closes, and the settings of the unit that open them.
enum Sandbox {
    /// The folders that `ProtectHome=yes` of systemd.exec(5) hides.
    private static let homes = [BytePath("/home"), BytePath("/root"), BytePath("/run/user")]

    /// Returns the setting that opens the sandbox for a folder that cannot be used; nil if the sandbox cannot be the
    /// reason.
    /// - Parameter isDefault: whether the folder is the Documents folder that is used if `Documents=` is not set.
    static func remedy(for path: BytePath, _ errno: Errno, isDefault: Bool = false) -> String? {
        if let hidden = hiddenFolder(around: path) {
            return "the unit hides \(hidden): set ProtectHome=no and ReadWritePaths= for this folder, "
                + "by \"systemctl edit\", and start again"
        }
        guard errno.isReadOnly else { return nil }
        if isDefault {
            return "Documents= is not set in the configuration: set it, and name that folder in ReadWritePaths= "
                + "of the unit, by \"systemctl edit\""
        }
        return "where the unit's sandbox is the reason, add ReadWritePaths= for it, or for a folder around it, "
            + "by \"systemctl edit\" and start again"
    }

    /// systemd puts an empty folder without any permission over what it hides.
    private static func hiddenFolder(around path: BytePath) -> BytePath? {
        homes.first { home in
            guard path.isInside(home) else { return false }
            do throws(SyscallError) {
                return try FileStatus(target: home).permissions & 0o777 == 0
            } catch {
                return false
            }
        }
    }
}
