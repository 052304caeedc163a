import InboxLinux

// How identities are written down: as decimal texts, since JSON has only doubles.

extension Timestamp {
    /// Seconds and nanoseconds, as decimal texts.
    var numbers: [String] { ["\(seconds)", "\(nanoseconds)"] }

    init?(numbers: some Collection<String>) {
        let texts = Array(numbers)
        guard texts.count == 2, let seconds = Int64(texts[0]), let nanoseconds = UInt32(texts[1]) else { return nil }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }
}

extension FileKey {
    /// Device, inode, and the birth time where there is one, as decimal texts.
    package var numbers: [String] { ["\(device)", "\(inode)"] + (birth?.numbers ?? []) }
}

extension FileIdentity {
    /// Device, inode, size, modification time, and the birth time where there is one, as decimal texts.
    package var numbers: [String] {
        ["\(file.device)", "\(file.inode)", "\(size)"] + modified.numbers + (file.birth?.numbers ?? [])
    }

    /// Creates an identity from ``numbers``; nil for other texts.
    package init?(numbers: [String]) {
        guard numbers.count == 5 || numbers.count == 7, let device = UInt64(numbers[0]),
            let inode = UInt64(numbers[1]), let size = UInt64(numbers[2]),
            let modified = Timestamp(numbers: numbers[3..<5])
        else { return nil }
        let birth = numbers.count == 7 ? Timestamp(numbers: numbers[5...]) : nil
        if numbers.count == 7, birth == nil { return nil }
        self.init(file: FileKey(device: device, inode: inode, birth: birth), size: size, modified: modified)
    }
}
