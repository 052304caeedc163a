import Glibc

/// How much of the long tests runs: all of it with `INBOX_TESTS=full`, else a part, so that `swift test` takes minutes.
///
/// Which part is chosen by a seed, another one in each run; `INBOX_TESTS_SEED` repeats it.
package enum Extent {
    package static let isFull: Bool = {
        // Traits ask this before the first test starts, which is the time to begin with short output.
        ShortOutput.begin()
        return getenv("INBOX_TESTS").map { String(cString: $0) } == "full"
    }()

    /// Why a test that cannot be shortened does not run.
    package static let reason = "only INBOX_TESTS=full runs it: it takes long and cannot be shortened"

    package static let seed: UInt64 = {
        if let chosen = getenv("INBOX_TESTS_SEED").flatMap({ UInt64(String(cString: $0)) }) { return chosen }
        let seed = UInt64.random(in: 1...999_999_999)
        print(
            isFull
                ? "INBOX_TESTS_SEED=\(seed) repeats what is chosen by chance."
                : "Parts of the long tests run; INBOX_TESTS_SEED=\(seed) chooses these again, INBOX_TESTS=full runs all."
        )
        return seed
    }()

    /// How often to do something: `full` times, or else `part` times.
    package static func times(_ full: Int, part: Int) -> Int { isFull ? full : part }

    /// All of these, or else so many of them in their order, chosen by the seed and by what they are for.
    package static func some<Element>(_ count: Int, of all: [Element], for purpose: String = "") -> [Element] {
        guard !isFull, all.count > count else { return all }
        var random = generator(for: purpose)
        return all.indices.shuffled(using: &random).prefix(count).sorted().map { all[$0] }
    }

    /// Random numbers for one purpose, which the seed repeats.
    package static func generator(for purpose: String) -> SeededRandom {
        // FNV-1a, since the standard library's hashes differ from run to run.
        let hash = purpose.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return SeededRandom(seed: seed ^ hash)
    }
}
