/// Whom a path may depend on: root, this process's user, and the owner of the folder at the path's end.
package struct TrustedUsers: Sendable {
    /// This process's effective user.
    let own: UInt32
    /// The number that statx(2) reports for owners outside the user namespace, which count as root; nil where the
    /// namespace maps every user.
    let unmapped: UInt32?
    private let groups: @Sendable (UInt32) -> UInt32?

    /// Rules made of these parts, for tests.
    /// - Parameter privateGroups: the only user who is in a group; nil where it has others, or it cannot be known.
    init(own: UInt32, unmapped: UInt32?, privateGroups: @escaping @Sendable (UInt32) -> UInt32?) {
        self.own = own
        self.unmapped = unmapped
        groups = privateGroups
    }

    /// The rules of this process, as they are now.
    package static func current() -> TrustedUsers {
        TrustedUsers(
            own: Process.user, unmapped: isWholeMap(file("/proc/self/uid_map")) ? nil : overflowUser,
            privateGroups: { UserDatabase().onlyMember(ofGroup: $0) })
    }

    /// Returns whether the abilities of this user are of no concern for a path that ends in a folder of `owner`.
    func trusts(_ user: UInt32, endingAt owner: UInt32) -> Bool {
        user == 0 || user == own || user == owner || user == unmapped
    }

    /// Returns whether every member of the group is trusted: it is the private group of somebody who is.
    func trusts(group: UInt32, endingAt owner: UInt32) -> Bool {
        groups(group).map { trusts($0, endingAt: owner) } ?? false
    }

    /// Returns whether a `uid_map` of user_namespaces(7) maps every user. One that cannot be read counts as whole, so
    /// that nobody is taken for root by mistake.
    static func isWholeMap(_ text: [UInt8]?) -> Bool {
        guard let text else { return true }
        var mapped: UInt64 = 0
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count == 3, let count = UInt64(String(decoding: fields[2], as: UTF8.self)) else { return true }
            mapped &+= count
        }
        // The last number, 4294967295, means no user.
        return mapped >= 4_294_967_295
    }

    /// proc(5), `/proc/sys/kernel/overflowuid`; its usual value where that is hidden.
    private static var overflowUser: UInt32 {
        let text = file("/proc/sys/kernel/overflowuid").map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { UInt32($0.prefix { $0.isNumber }) } ?? 65534
    }

    private static func file(_ path: String) -> [UInt8]? {
        do throws(SyscallError) {
            return try FileDescriptor.reading(path: BytePath(path)).contents(limit: 1 << 20)
        } catch {
            return nil
        }
    }
}

/// The users and groups of this machine's own files, passwd(5) and group(5).
///
/// Only the files are read: a network's directory cannot be listed as a rule, and may not answer.
struct UserDatabase {
    private let users: [[ArraySlice<UInt8>]]
    private let groups: [[ArraySlice<UInt8>]]

    /// Reads `/etc/passwd` and `/etc/group`.
    init() {
        self.init(users: Self.read("/etc/passwd"), groups: Self.read("/etc/group"))
    }

    /// Takes the texts of both files.
    init(users: [UInt8], groups: [UInt8]) {
        self.users = Self.rows(users)
        self.groups = Self.rows(groups)
    }

    /// The only user whom a group has: root, or a person (1000 and above) with a group of their own.
    ///
    /// Nil where the group has another member, or is that of a system user: it exists to be shared, and who shares it
    /// may be known to a network's directory alone.
    func onlyMember(ofGroup group: UInt32) -> UInt32? {
        let number = Array(String(group).utf8)
        let members = users.filter { $0.count > 3 && $0[3].elementsEqual(number) }
        guard members.count == 1, let name = members[0].first,
            let user = UInt32(String(decoding: members[0][2], as: UTF8.self)), user == 0 || user >= 1000,
            let entry = groups.first(where: { $0.count > 3 && $0[2].elementsEqual(number) }),
            entry[3].split(separator: UInt8(ascii: ",")).allSatisfy({ $0 == name })
        else { return nil }
        return user
    }

    private static func rows(_ text: [UInt8]) -> [[ArraySlice<UInt8>]] {
        text.split(separator: UInt8(ascii: "\n")).map {
            $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        }
    }

    private static func read(_ path: String) -> [UInt8] {
        do throws(SyscallError) {
            return try FileDescriptor.reading(path: BytePath(path)).contents(limit: 16 << 20) ?? []
        } catch {
            return []
        }
    }
}
