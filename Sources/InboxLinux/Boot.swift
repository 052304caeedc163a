/// Which start of the machine this is.
package enum Boot {
    /// Its random identifier, proc(5), `/proc/sys/kernel/random/boot_id`; nil where it cannot be read, as with systemd's
    /// `ProcSubset=pid`.
    package static func identifier() -> String? {
        do throws(SyscallError) {
            let file = try FileDescriptor.reading(path: BytePath("/proc/sys/kernel/random/boot_id"))
            return try file.contents(limit: 64).map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
        } catch {
            return nil
        }
    }

    /// Stands for the current boot where no restart has to be waited for.
    package static let none = "none"

    /// The identifier as the journal has it, read once. Where it cannot be read, no two boots can be distinguished.
    package static let current = identifier() ?? "unknown"
}
