import InboxLinux

/// Which entries of a claimed package were copied, so that nothing else is removed: a folder that somebody moves into it
/// keeps the change times of what is in it. After an interruption the journal says so, whatever has become of the copy since.
///
/// Each entry has two numbers: a digest of its marks, size and modification time, and its change time. The digest keeps the
/// journal's line short for a package of thousands. Whoever forges an entry with another one's digest can only lose what is
/// in his own package.
package struct CopiedEntries: Hashable, Sendable {
    /// The journal says nothing of a package of more entries: the copy shows then what was copied.
    static let most = 1 << 15

    private struct Entry: Hashable, Sendable {
        let digest: UInt64
        let changed: UInt64
    }

    private var entries: Set<Entry> = []
    private var digests: Set<UInt64> = []

    init() {}

    var isTooLarge: Bool { entries.count > Self.most }

    /// Takes note that an entry was copied.
    mutating func note(_ status: FileStatus) {
        note(Entry(digest: Self.digest(of: status), changed: Self.number(status.changed)))
    }

    private mutating func note(_ entry: Entry) {
        entries.insert(entry)
        digests.insert(entry.digest)
    }

    /// Returns whether a file or link was copied as it is now.
    /// - Parameter isSetAside: whether its removal has renamed it, which changes its change time, and nothing else of it.
    func has(_ status: FileStatus, isSetAside: Bool = false) -> Bool {
        let digest = Self.digest(of: status)
        if isSetAside, digests.contains(digest) { return true }
        return entries.contains(Entry(digest: digest, changed: Self.number(status.changed)))
    }

    /// Returns whether a folder was copied, whatever is in it now.
    func hasFolder(_ status: FileStatus) -> Bool { digests.contains(Self.digest(of: status)) }

    /// FNV-1a of the inode number and the birth time; for anything but a folder, of the size and modification time too.
    private static func digest(of status: FileStatus) -> UInt64 {
        let identity = status.identity
        var numbers = [identity.file.inode, identity.file.birth.map(number) ?? 0]
        if status.kind != .directory { numbers += [identity.size, number(identity.modified)] }
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) {
                digest = (digest ^ (number >> UInt64(shift) & 0xFF)) &* 0x100_0000_01B3
            }
        }
        return digest
    }

    /// The seconds above, the nanoseconds in the lower 30 bits: no two times have the same number for centuries.
    private static func number(_ time: Timestamp) -> UInt64 {
        UInt64(bitPattern: time.seconds) << 30 | UInt64(time.nanoseconds)
    }

    // MARK: The journal

    /// The member of the journal: 32 hexadecimal digits for each entry.
    var text: String {
        var text: [UInt8] = []
        text.reserveCapacity(entries.count * 32)
        for entry in entries {
            for number in [entry.digest, entry.changed] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 15)
                    text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for what is no such member.
    init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 32) else { return nil }
        for start in stride(from: 0, to: digits.count, by: 32) {
            guard let digest = Self.number(digits[start..<start + 16]),
                let changed = Self.number(digits[start + 16..<start + 32])
            else { return nil }
            note(Entry(digest: digest, changed: changed))
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
