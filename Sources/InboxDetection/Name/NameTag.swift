import InboxLinux

/// The tag of a name, by section 4 of the contract: what follows the last dot that is not the first byte.
package struct NameTag: Sendable, Equatable {
    /// The tag as the name spells it: 1 to 32 bytes of UTF-8 without space or control character.
    package let bytes: ArraySlice<UInt8>

    /// The tag in small letters, ASCII letters alone: extensions are compared so.
    package var lowered: [UInt8] { bytes.map(ASCII.lower) }

    /// Returns whether the tag in small letters equals this.
    func isSpelled(_ lowered: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in lowered.withUnsafeBytes { Bytes(bytes).isEqual(loweredTo: Bytes($0)) } }
    }

    /// Nil where the name has no tag: `README`, `.profile`, `Mr. Smith came`.
    package init?(_ name: FileName) {
        self.init(name.bytes)
    }

    init?(_ name: ArraySlice<UInt8>) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        let bytes = name[(dot + 1)...]
        guard (1...32).contains(bytes.count), Self.isPrintable(bytes) else { return nil }
        self.bytes = bytes
    }

    private static func isPrintable(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Nearly every tag is ASCII, which needs no decoding.
        if bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return true }
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control { return false }
            case .error: return false
            case .emptyInput: return true
            }
        }
    }
}
