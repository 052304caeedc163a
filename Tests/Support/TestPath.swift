import InboxLinux

/// A path as the bytes that Linux sees; a name here need not be text.
package struct TestPath: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package static func / (folder: TestPath, name: TestPath) -> TestPath {
        if name.bytes.isEmpty { return folder }
        return folder.bytes.isEmpty ? name : TestPath(folder.bytes + [UInt8(ascii: "/")] + name.bytes)
    }

    /// The components, without empty ones.
    package var components: [TestPath] {
        bytes.split(separator: UInt8(ascii: "/")).map { TestPath($0) }
    }

    package var parent: TestPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return TestPath(slash == 0 ? bytes[...0] : bytes[..<slash])
    }

    /// Whether this path is `other`, or ends with all components of `other`.
    package func ends(with other: TestPath) -> Bool {
        components.suffix(other.components.count).elementsEqual(other.components)
    }

    package func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try (bytes + [0]).withUnsafeBufferPointer { buffer in
            try buffer.withMemoryRebound(to: CChar.self) { characters in
                // The buffer always holds at least the NUL, so it has a base address.
                guard let start = characters.baseAddress else { return try "".withCString(body) }
                return try body(start)
            }
        }
    }
}

extension BytePath {
    /// The same path as the library takes it; no path of a test holds a NUL.
    package init(_ path: TestPath) {
        self = BytePath(bytes: path.bytes) ?? BytePath("")
    }
}

extension TestPath: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}

extension TestPath: CustomStringConvertible {
    package var description: String { escaped(bytes) }
}

/// Bytes as one line of ASCII that the scenario language reads back.
package func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
        switch byte {
        case UInt8(ascii: "\\"): text += "\\\\"
        case UInt8(ascii: "\n"): text += "\\n"
        case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            text += "\\x" + (digits.count == 1 ? "0" : "") + digits
        }
    }
    return text
}

/// The bytes of a path in JSON, where `\xnn` is a byte that is not UTF-8 and `\\` a backslash (contract, section 5).
package func pathBytes(fromJSON text: String) -> [UInt8] {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
        if source[index] == UInt8(ascii: "\\"), index + 1 < source.count {
            if source[index + 1] == UInt8(ascii: "\\") {
                bytes.append(source[index])
                index += 2
                continue
            }
            if source[index + 1] == UInt8(ascii: "x"), index + 3 < source.count,
                let byte = UInt8(String(decoding: source[(index + 2)...(index + 3)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 4
                continue
            }
        }
        bytes.append(source[index])
        index += 1
    }
    return bytes
}
