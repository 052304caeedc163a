import Testing

@testable import InboxLinux

/// The digest by its known vectors: FIPS 180-4, and the examples of NIST.
@Suite struct SHA256Tests {
    static let vectors: [(text: [UInt8], digest: String)] = [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The digest of bytes that come in pieces of this length.
    static func digest(_ bytes: [UInt8], inPiecesOf count: Int) -> String {
        var digest = SHA256()
        for start in stride(from: 0, to: bytes.count, by: count) {
            Array(bytes[start..<min(start + count, bytes.count)]).withUnsafeBytes { digest.update($0) }
        }
        return hex(digest.digest())
    }

    @Test(
        "Known texts have the digests that the standard says, in pieces of any length",
        arguments: [1, 55, 63, 64, 65, 4096])
    func vectors(inPiecesOf count: Int) {
        for (text, digest) in Self.vectors where count > 1 || text.count < 1000 {
            #expect(Self.digest(text, inPiecesOf: count) == digest)
        }
    }

    @Test("A digest may be asked for while more bytes follow")
    func between() {
        var digest = SHA256()
        Array("ab".utf8).withUnsafeBytes { digest.update($0) }
        _ = digest.digest()
        Array("c".utf8).withUnsafeBytes { digest.update($0) }
        #expect(Self.hex(digest.digest()) == Self.vectors[1].digest)
    }
}
