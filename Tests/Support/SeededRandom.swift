/// Random numbers that a seed repeats, so that a failure can be reproduced: SplitMix64, by its published constants.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Any bytes; every other string is made of what UTF-8 and the escapes find hard.
    package mutating func bytes(upTo count: Int) -> [UInt8] {
        let hard: [UInt8] = [
            0x5C, 0x78, 0x61, 0x2E, 0x2F, 0, 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0x80, 0xAE, 0xED, 0xF0, 0x9F,
        ]
        let isHard = Bool.random(using: &self)
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            isHard ? hard[Int.random(in: 0..<hard.count, using: &self)] : UInt8.random(in: 0...255, using: &self)
        }
    }
}
