import InboxLinux

/// Groups of bytes that a name may begin with: the same document types may accept the names of one group. There are few,
/// since most patterns of `Names=` begin with a letter.
struct FirstByteGroups: Sendable {
    /// The group of each of the 256 bytes.
    private let groups: [UInt8]
    /// One byte of each group.
    let firstBytes: [UInt8]

    init(_ matchers: [NameMatcher]) {
        var known: [[Bool]: UInt8] = [:]
        var firstBytes: [UInt8] = []
        groups = (UInt8.min...UInt8.max).map { byte in
            let accepting = matchers.map { $0.mayAccept(firstByte: byte) }
            if let group = known[accepting] { return group }
            let group = UInt8(truncatingIfNeeded: firstBytes.count)
            known[accepting] = group
            firstBytes.append(byte)
            return group
        }
        self.firstBytes = firstBytes
    }

    /// The group of a name.
    func group(of name: FileName) -> Int { Int(groups[Int(name.firstByte)]) }
}
