import InboxLinux

extension FileName {
    /// The name of the first piece of a file that was cut into several, the only one that begins as its format does:
    /// `x.7z.001` (7-Zip, HJSplit), `x.z01` (Info-ZIP), `x.tar.gz.aa` (split(1)), `x.zip.part1`.
    ///
    /// No volume of RAR, each of which ends as an archive does.
    var isFirstPiece: Bool {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else { return false }
        var rest = bytes[(dot + 1)...].map(ASCII.lower)[...]
        let isPart = rest.starts(with: "part".utf8)
        if isPart {
            rest = rest.dropFirst(4).drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        } else if rest.first == UInt8(ascii: "z") {
            rest.removeFirst()
        }
        guard rest.count > (isPart ? 0 : 1), rest.count <= 6 else { return false }
        let number = rest.drop { $0 == UInt8(ascii: "0") }
        return number.isEmpty || number.elementsEqual("1".utf8) || rest.allSatisfy { $0 == UInt8(ascii: "a") }
    }
}
