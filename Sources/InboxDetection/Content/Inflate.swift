/// Unpacks the beginning of a deflate stream (RFC 1951), into a bounded buffer, whatever the bytes are.
package struct Inflate {
    private let input: Bytes
    private var place = 0
    private var bits: UInt32 = 0
    private var bitCount: UInt32 = 0
    private let output: UnsafeMutableRawBufferPointer
    private var count = 0
    private var end = End.damaged

    /// The way in which a stream ended.
    enum End {
        /// With its last block, after so many bytes.
        case finished(Int)
        /// Before that, with the input.
        case starved
        /// Before that, with the buffer.
        case full
        /// With bytes that no stream has.
        case damaged
    }

    /// Returns how a stream ends that unpacks to at most `limit` bytes.
    static func end(of input: Bytes, limit: Int) -> End {
        withUnsafeTemporaryAllocation(byteCount: limit, alignment: 8) { buffer in
            var stream = Inflate(input: input, output: buffer)
            stream.run()
            return stream.end
        }
    }

    /// Unpacks at most `limit` bytes and hands them to `body`: as many as came before the end or the first fault.
    static func inflating<Result>(_ input: Bytes, limit: Int, _ body: (Bytes) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: limit, alignment: 8) { body(unpacking(input, into: $0)) }
    }

    /// Unpacks what fits into a buffer, and returns it: as many bytes as came before the end or the first fault.
    package static func unpacking(_ input: Bytes, into buffer: UnsafeMutableRawBufferPointer) -> Bytes {
        var stream = Inflate(input: input, output: buffer)
        stream.run()
        return Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<stream.count]))
    }

    private init(input: Bytes, output: UnsafeMutableRawBufferPointer) {
        self.input = input
        self.output = output
    }

    /// The next bits, the least significant first; nil at the input's end.
    private mutating func take(_ wanted: UInt32) -> Int? {
        while bitCount < wanted {
            guard let byte = input.byte(at: place) else {
                end = .starved
                return nil
            }
            place += 1
            bits |= UInt32(byte) << bitCount
            bitCount += 8
        }
        let value = bits & ((1 << wanted) - 1)
        bits >>= wanted
        bitCount -= wanted
        return Int(value)
    }

    private mutating func put(_ byte: UInt8) -> Bool {
        guard count < output.count else {
            end = .full
            return false
        }
        output[count] = byte
        count += 1
        return true
    }

    private mutating func run() {
        while let isLast = take(1), let kind = take(2) {
            let goesOn: Bool
            switch kind {
            case 0: goesOn = copyStored()
            case 1: goesOn = unpack(.fixedLiterals, .fixedDistances)
            case 2:
                guard let (literals, distances) = readCodes() else { return }
                goesOn = unpack(literals, distances)
            default: return
            }
            // Whole bytes that were taken ahead belong to what follows.
            if goesOn, isLast == 1 { end = .finished(place - Int(bitCount / 8)) }
            if !goesOn || isLast == 1 { return }
        }
    }

    private mutating func copyStored() -> Bool {
        // Whole bytes that were taken ahead are not packed either.
        place -= Int(bitCount / 8)
        bits = 0
        bitCount = 0
        guard let length = input.little16(at: place), let check = input.little16(at: place + 2) else {
            end = .starved
            return false
        }
        guard length ^ 0xFFFF == check else { return false }
        place += 4
        for _ in 0..<length {
            guard let byte = input.byte(at: place) else {
                end = .starved
                return false
            }
            guard put(byte) else { return false }
            place += 1
        }
        return true
    }

    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits: [UInt32] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// One block; false where the stream or the buffer ends.
    private mutating func unpack(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
        while let symbol = decode(literals) {
            if symbol < 256 {
                guard put(UInt8(truncatingIfNeeded: symbol)) else { return false }
                continue
            }
            if symbol == 256 { return true }
            guard symbol - 257 < Self.lengthBase.count, let more = take(Self.lengthBits[symbol - 257]),
                let code = decode(distances), code < Self.distanceBase.count,
                let further = take(UInt32(max(0, code / 2 - 1)))
            else { return false }
            let distance = Self.distanceBase[code] + further
            guard distance <= count else { return false }
            for _ in 0..<(Self.lengthBase[symbol - 257] + more) {
                guard put(output[count - distance]) else { return false }
            }
        }
        return false
    }

    /// The codes that a dynamic block begins with.
    private mutating func readCodes() -> (HuffmanCode, HuffmanCode)? {
        guard let literalCount = take(5), let distanceCount = take(5), let codeCount = take(4) else { return nil }
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<(codeCount + 4) {
            guard let length = take(3) else { return nil }
            lengths[Self.codeOrder[index]] = UInt8(length)
        }
        let code = HuffmanCode(lengths[...])
        let total = literalCount + 257 + distanceCount + 1
        var all: [UInt8] = []
        all.reserveCapacity(total)
        while all.count < total {
            guard let symbol = decode(code) else { return nil }
            switch symbol {
            case 16:
                guard let last = all.last, let times = take(2) else { return nil }
                all.append(contentsOf: repeatElement(last, count: times + 3))
            case 17:
                guard let times = take(3) else { return nil }
                all.append(contentsOf: repeatElement(0, count: times + 3))
            case 18:
                guard let times = take(7) else { return nil }
                all.append(contentsOf: repeatElement(0, count: times + 11))
            default: all.append(UInt8(truncatingIfNeeded: symbol))
            }
        }
        return (HuffmanCode(all[..<(literalCount + 257)]), HuffmanCode(all[(literalCount + 257)..<total]))
    }

    private mutating func decode(_ code: HuffmanCode) -> Int? {
        // The longest code's bits are taken at once, and those that are left over given back.
        while bitCount < 15, let byte = input.byte(at: place) {
            place += 1
            bits |= UInt32(byte) << bitCount
            bitCount += 8
        }
        var rest = bits
        var value = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            guard length <= bitCount else {
                end = .starved
                return nil
            }
            value |= Int(rest & 1)
            rest >>= 1
            let number = Int(code.counts[length])
            if value - number < first {
                bits = rest
                bitCount -= UInt32(length)
                // An over-subscribed code leads outside its symbols.
                let symbol = index + value - first
                return code.symbols.indices.contains(symbol) ? Int(code.symbols[symbol]) : nil
            }
            index += number
            first = (first + number) << 1
            value <<= 1
        }
        return nil
    }
}

/// A canonical Huffman code: how many codes there are of each length, and the symbols in the order of their codes.
struct HuffmanCode {
    fileprivate let counts: [UInt16]
    fileprivate let symbols: [UInt16]

    fileprivate static let fixedLiterals = HuffmanCode(
        ([UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
            + [UInt8](repeating: 8, count: 8))[...])
    fileprivate static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30)[...])

    fileprivate init(_ lengths: ArraySlice<UInt8>) {
        var counts = [UInt16](repeating: 0, count: 16)
        for length in lengths { counts[Int(length & 15)] += 1 }
        counts[0] = 0
        var offsets = [Int](repeating: 0, count: 17)
        for length in 1...15 { offsets[length + 1] = offsets[length] + Int(counts[length]) }
        // A broken code may promise more symbols than it has: the spare ones are zero.
        var symbols = [UInt16](repeating: 0, count: lengths.count + 1)
        for (symbol, length) in lengths.enumerated() where length != 0 {
            symbols[offsets[Int(length & 15)]] = UInt16(clamping: symbol)
            offsets[Int(length & 15)] += 1
        }
        self.counts = counts
        self.symbols = symbols
    }
}
