import InboxTestSupport

extension SeededRandom {
    /// Text of up to `count` characters, with those that the encodings treat specially well represented.
    mutating func text(upTo count: Int) -> String {
        let special: [Character] = [":", "=", "\\", ",", "?", "0", "1", "A", ".", "/", " ", "\u{0}", "é", "文", "🙂"]
        let letters: [Character] = Array("abcxyz0123456789-_+")
        return String(
            (0..<Int.random(in: 0...count, using: &self)).compactMap { _ in
                (Bool.random(using: &self) ? special : letters).randomElement(using: &self)
            })
    }

    /// `original` cut off, or with some bytes changed, removed or doubled.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        if Int.random(in: 0..<3, using: &self) == 0 {
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &self))
        }
        for _ in 0..<Int.random(in: 0...6, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place..<min(place + 8, bytes.count)], at: place)
            }
        }
        return bytes
    }
}
