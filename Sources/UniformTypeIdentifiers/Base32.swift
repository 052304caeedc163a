/// The base32 of dynamic identifiers: 32 letters and digits without i, j, l and o; no padding letters.
enum Base32 {
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

    /// The value of each letter, or 255.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(truncatingIfNeeded: value) }
        return values
    }()

    /// Five bits a letter, most significant first, the last letter filled with zero bits.
    static func encode(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                letters.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { letters.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The bytes that the letters encode, or nil for a letter outside the alphabet. Bits that fill no byte are dropped.
    static func decode(_ letters: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 5 / 8)
        var buffer: UInt32 = 0
        var bits = 0
        for letter in letters {
            let value = values[Int(letter)]
            guard value < 32 else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }
}
