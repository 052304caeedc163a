/// The formats that programs write for themselves: pickled objects, matrices, and disks with their partitions.
enum Records {
    static func mime(_ head: Bytes, isWhole: Bool) -> (String, Int)? {
        if isPickle(head, isWhole: isWhole) { return ("application/x-pickle", 4) }
        if isMatrix(head) { return ("application/x-matlab-data", 6) }
        if isPartitioned(head) { return ("application/x-raw-disk-image", 6) }
        // HDF5 leaves room for others before its own header, at any power of two from 512 on.
        for start in [512, 1024, 2048] where head.little64(at: start) == 0x0A1A_0A0D_4644_4889 {
            return ("application/x-hdf", 8)
        }
        return nil
    }

    /// Python's pickles from protocol 2 on: the protocol, an instruction that objects begin with, and at the end a full
    /// stop.
    private static func isPickle(_ head: Bytes, isWhole: Bool) -> Bool {
        guard head[0] == 0x80, (2...5).contains(head[1]), head.count >= 4 else { return false }
        if isWhole, head[head.count - 1] != UInt8(ascii: ".") { return false }
        if head[1] >= 4 {
            // A frame has a length.
            guard head[2] == 0x95, let size = head.little64(at: 3) else { return isWhole && head.count < 16 }
            return size < 1 << 40 && (!isWhole || size <= UInt64(head.count))
        }
        let first: StaticString = "}](cXKJMGUN)q"
        return head[2] >= 0x88 && head[2] <= 0x8B || Bytes(first).index(of: head[2]) != nil
    }

    /// MATLAB's matrices, version 4: five numbers, and a name that ends with a NUL.
    private static func isMatrix(_ head: Bytes) -> Bool {
        for isBig in [false, true] {
            guard let kind = head.number32(at: 0, big: isBig), kind < 5000, kind / 1000 == (isBig ? 1 : 0),
                kind / 100 % 10 == 0, kind / 10 % 10 <= 5, kind % 10 <= 2,
                let rows = head.number32(at: 4, big: isBig), let columns = head.number32(at: 8, big: isBig),
                rows < 1 << 24, columns < 1 << 24, let imaginary = head.number32(at: 12, big: isBig), imaginary <= 1,
                let length = head.number32(at: 16, big: isBig), (2...64).contains(length), ASCII.isLetter(head[20]),
                head.byte(at: 19 + length) == 0
            else { continue }
            let name = head[20..<(19 + length)]
            return (0..<name.count).allSatisfy {
                ASCII.isLetter(name[$0]) || ASCII.isDigit(name[$0]) || name[$0] == UInt8(ascii: "_")
            }
        }
        return false
    }

    /// A master boot record: four partitions, of which each is empty or has a kind, a place and a size.
    private static func isPartitioned(_ head: Bytes) -> Bool {
        guard head.big16(at: 510) == 0x55AA else { return false }
        var used = 0
        for place in stride(from: 446, to: 510, by: 16) {
            guard head[place] & 0x7F == 0, let start = head.little32(at: place + 8),
                let size = head.little32(at: place + 12)
            else { return false }
            if head[place + 4] == 0 {
                guard start == 0, size == 0 else { return false }
            } else {
                guard start > 0, size > 0 else { return false }
                used += 1
            }
        }
        return used > 0
    }
}
