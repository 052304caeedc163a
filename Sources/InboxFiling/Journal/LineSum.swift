/// The sum at the end of each line of the journal, which shows whether the line is still what was written. It keeps nobody
/// from writing another one.
enum LineSum {
    private static let key: StaticString = ",\"sum\":"

    /// The sum of bytes: any change within eight of them changes it.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum = UInt64(bytes.count)
        func add(_ word: UInt64) {
            sum = (sum ^ word) &* 0xFF51_AFD7_ED55_8CCD
            sum ^= sum >> 32
        }
        var place = 0
        while place + 8 <= bytes.count {
            add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        add(rest)
        return sum
    }

    /// Returns whether a line is as it was written; nil for one without a sum, as earlier versions wrote them.
    static func holds(_ line: ArraySlice<UInt8>) -> Bool? {
        guard line.last == UInt8(ascii: "}") else { return nil }
        let digits = line.dropLast().reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let head = line.dropLast(digits + 1)
        let isSummed = key.withUTF8Buffer { digits > 0 && head.suffix($0.count).elementsEqual($0) }
        guard isSummed else { return nil }
        let written = UInt64(String(decoding: line.dropLast().suffix(digits), as: UTF8.self))
        let summed = head.dropLast(key.utf8CodeUnitCount)
        return summed.withUnsafeBytes { of($0) } == written
    }
}
