import Glibc

/// Finds users and groups by their names: getpwnam(3) and getgrnam(3).
package enum AccountNames {
    /// Bytes: no entry of a database is as long, so that a larger buffer is not tried.
    private static let largestEntry = 1 << 20

    /// The number of a user, by name or written in decimal; nil where there is no such user.
    package static func user(named name: [UInt8]) -> UInt32? {
        number(name)
            ?? find(name) { name, buffer, size in
                var entry = passwd()
                var found: UnsafeMutablePointer<passwd>?
                let code = getpwnam_r(name, &entry, buffer, size, &found)
                return (code, found == nil ? nil : entry.pw_uid)
            }
    }

    /// The number of a group, by name or written in decimal; nil where there is no such group.
    package static func group(named name: [UInt8]) -> UInt32? {
        number(name)
            ?? find(name) { name, buffer, size in
                var entry = Glibc.group()
                var found: UnsafeMutablePointer<Glibc.group>?
                let code = getgrnam_r(name, &entry, buffer, size, &found)
                return (code, found == nil ? nil : entry.gr_gid)
            }
    }

    /// Returns the name of a user for a person, or the number where it has none.
    package static func name(ofUser number: UInt32) -> String {
        var name: String?
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress, getpwuid_r(number, &entry, start, buffer.count, &found) == 0,
                found != nil
            else { return }
            name = entry.pw_name.map { EscapedBytes.printable(String(cString: $0).utf8) }
        }
        return name ?? "\(number)"
    }

    /// Returns the groups that a user belongs to: getgrouplist(3). None for a user whom nobody knows.
    package static func groups(ofUser number: UInt32) -> Set<UInt32> {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress, getpwuid_r(number, &entry, start, buffer.count, &found) == 0,
                found != nil, let name = entry.pw_name
            else { return [] }
            var groups = [gid_t](repeating: 0, count: mostGroups)
            var count = Int32(mostGroups)
            let isComplete = getgrouplist(name, entry.pw_gid, &groups, &count) >= 0
            return Set(groups.prefix(isComplete ? Int(count) : mostGroups))
        }
    }

    /// Groups: NGROUPS_MAX of limits.h.
    private static let mostGroups = 65_536

    private static func number(_ name: [UInt8]) -> UInt32? {
        guard name.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt32(String(decoding: name, as: UTF8.self))
    }

    private static func find(
        _ name: [UInt8],
        _ search: (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> (code: Int32, number: UInt32?)
    ) -> UInt32? {
        guard !name.isEmpty, !name.contains(0) else { return nil }
        let terminated = name.map { CChar(bitPattern: $0) } + [0]
        var size = 16 * 1024
        while size <= largestEntry {
            // A group with many members needs a larger buffer: ERANGE.
            let answer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                buffer.baseAddress.map { search(terminated, $0, buffer.count) } ?? (code: ENOMEM, number: nil)
            }
            if answer.code != ERANGE { return answer.number }
            size *= 4
        }
        return nil
    }
}
