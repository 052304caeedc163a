/// A number with an optional fraction, before its unit is known: `2`, `2.5`, `.5`.
struct DecimalNumber {
    private let whole: Int64?
    private let fraction: ArraySlice<UInt8>

    /// Takes a number from the front; nil where there is none or nothing follows its point.
    init?(takenFrom rest: inout ArraySlice<UInt8>) {
        let digits = Self.takeDigits(from: &rest)
        guard rest.first == UInt8(ascii: ".") else {
            guard !digits.isEmpty else { return nil }
            whole = Self.value(digits)
            fraction = []
            return
        }
        rest.removeFirst()
        fraction = Self.takeDigits(from: &rest)
        guard !fraction.isEmpty else { return nil }
        whole = Self.value(digits)
    }

    /// The number of smallest units in so many of `unit`, rounded down; nil where that passes 64 bits.
    func times(_ unit: Int64) -> Int64? {
        guard let whole else { return nil }
        // 18 digits of a fraction and any unit fit into 128 bits; further digits are far below any unit.
        var share = Int128(0)
        var scale = Int128(1)
        for digit in fraction.prefix(18) {
            share = share * 10 + Int128(digit - UInt8(ascii: "0"))
            scale *= 10
        }
        return Int64(exactly: Int128(whole) * Int128(unit) + share * Int128(unit) / scale)
    }

    private static func takeDigits(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self))
    }
}
