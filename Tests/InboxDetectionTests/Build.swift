/// The shortest containers that programs would accept.
enum Build {
    static func le16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    static func le32(_ value: Int) -> [UInt8] { le16(value & 0xFFFF) + le16(value >> 16 & 0xFFFF) }

    /// A zip archive of stored entries, with an extra field of so many bytes before the data of each.
    static func zip(_ entries: [(String, String)], extra: Int = 0, comment: [UInt8] = []) -> [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for (name, text) in entries {
            let data = Array(text.utf8)
            var common = le16(20) + le16(0) + le16(0) + le32(0)
            common += le32(0) + le32(data.count) + le32(data.count)
            directory += [0x50, 0x4B, 1, 2] + le16(20)
            directory += common + le16(name.utf8.count) + le16(0) + le16(0)
            directory += le16(0) + le16(0) + le32(0)
            directory += le32(body.count) + Array(name.utf8)
            body += [0x50, 0x4B, 3, 4] + common
            body += le16(name.utf8.count) + le16(extra)
            body += Array(name.utf8) + [UInt8](repeating: 0, count: extra) + data
        }
        var end: [UInt8] = [0x50, 0x4B, 5, 6] + le16(0) + le16(0)
        end += le16(entries.count) + le16(entries.count)
        end += le32(directory.count) + le32(body.count) + le16(comment.count)
        return body + directory + end + comment
    }

    /// A compound file whose root storage holds these streams; `embedded` ones lie in a storage below it.
    static func compound(
        _ streams: [String], embedded: [String] = [], root: [UInt8] = [UInt8](repeating: 0, count: 16)
    ) -> [UInt8] {
        var header = SampleText.bytes("D0CF11E0A1B11AE1 *16 3E00 0300 FEFF 0900 0600 *6")
        header += [0, 1, 1, 0, 4096, -2, 0, -2, 0].flatMap { le32($0) }
        header += le32(0)
        header += [UInt8](repeating: 0xFF, count: 512 - header.count)
        let none = 0xFFFF_FFFF
        let nothing = [UInt8](repeating: 0, count: 16)
        let pool = embedded.isEmpty ? none : streams.count + 1
        // Siblings are a list here: each is the right one of the one before it.
        var directory = entry("Root Entry", kind: 5, root, right: none, child: streams.isEmpty ? pool : 1)
        for (index, stream) in streams.enumerated() {
            let next = index + 1 < streams.count ? index + 2 : pool
            directory += entry(stream, kind: 2, nothing, right: next, child: none)
        }
        if !embedded.isEmpty {
            directory += entry("ObjectPool", kind: 1, nothing, right: none, child: streams.count + 2)
            for (index, stream) in embedded.enumerated() {
                let next = index + 1 < embedded.count ? streams.count + 3 + index : none
                directory += entry(stream, kind: 2, nothing, right: next, child: none)
            }
        }
        directory += [UInt8](repeating: 0, count: (512 - directory.count % 512) % 512)
        // The table's own sector, and a chain of the directory's.
        var table = le32(-3)
        let sectors = directory.count / 512
        for sector in 0..<sectors { table += le32(sector + 1 < sectors ? sector + 2 : -2) }
        table += [UInt8](repeating: 0xFF, count: 512 - table.count)
        return header + table + directory
    }

    private static func entry(_ name: String, kind: UInt8, _ identifier: [UInt8], right: Int, child: Int) -> [UInt8] {
        var bytes: [UInt8] = name.utf8.flatMap { [$0, 0] as [UInt8] }
        bytes += [UInt8](repeating: 0, count: 64 - bytes.count)
        bytes += le16(2 * name.utf8.count + 2) + [kind, 1]
        bytes += le32(0xFFFF_FFFF) + le32(right) + le32(child)
        bytes += identifier
        bytes += [UInt8](repeating: 0, count: 128 - bytes.count)
        return bytes
    }

    /// An Ogg file that begins streams with these packets.
    static func ogg(_ packets: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            bytes += Array("OggS".utf8) + [0, 2]
            bytes += [UInt8](repeating: 0, count: 8)
            bytes += le32(index + 1) + le32(0) + le32(0)
            bytes += [1, UInt8(packet.utf8.count)]
            bytes += Array(packet.utf8)
        }
        return bytes
    }

    /// A tar archive of one empty file.
    static func tar(_ name: String, isMarked: Bool) -> [UInt8] {
        var header = Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count)
        header += Array("0000644\u{0}0000000\u{0}0000000\u{0}00000000000\u{0}00000000000\u{0}        0".utf8)
        header += [UInt8](repeating: 0, count: 257 - header.count)
        if isMarked { header += Array("ustar\u{0}00".utf8) }
        header += [UInt8](repeating: 0, count: 512 - header.count)
        let sum = header.reduce(0) { $0 + Int($1) }
        let digits = String(sum, radix: 8)
        let field = Array(String(repeating: "0", count: 6 - digits.count).utf8) + Array(digits.utf8) + [0, 0x20]
        header.replaceSubrange(148..<156, with: field)
        return header + [UInt8](repeating: 0, count: 1024)
    }

    static func repeated(_ byte: UInt8, every step: Int, _ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in [byte] + [UInt8](repeating: 0x1F, count: step - 1) }
    }

    static func frames(_ header: [UInt8], _ size: Int) -> [UInt8] {
        (0..<3).flatMap { _ in header + [UInt8](repeating: 0, count: size - header.count) }
    }

    static func gzip(_ text: String) -> [UInt8] { gzip(bytes: Array(text.utf8)) }

    /// A gzip stream of one stored block.
    static func gzip(bytes: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]
        return header + le16(bytes.count) + le16(~bytes.count & 0xFFFF) + bytes + [UInt8](repeating: 0, count: 8)
    }

    static func disc() -> [UInt8] {
        let descriptor: [UInt8] = [1] + Array("CD001".utf8) + [1]
        return [UInt8](repeating: 0, count: 32768) + descriptor + [UInt8](repeating: 0, count: 2041)
    }

    static func diskImage() -> [UInt8] {
        [UInt8](repeating: 0, count: 1024) + Array("koly".utf8) + [UInt8](repeating: 0, count: 508)
    }

    /// A TIFF file as cameras write their raws: a small picture first, the sensor's data in a subdirectory.
    static func raw(make: String, model: String, isDNG: Bool = false) -> [UInt8] {
        func entry(_ tag: Int, _ kind: Int, _ count: Int, _ value: Int) -> [UInt8] {
            var bytes = le16(tag) + le16(kind)
            bytes += le32(count) + le32(value)
            return bytes
        }
        let texts = 8 + 2 + 12 * (isDNG ? 5 : 4) + 4
        var entries = [entry(0xFE, 4, 1, 1)]
        entries.append(entry(0x10F, 2, make.utf8.count + 1, texts))
        entries.append(entry(0x110, 2, model.utf8.count + 1, texts + make.utf8.count + 1))
        entries.append(entry(0x14A, 4, 1, 512))
        if isDNG { entries.append(entry(0xC612, 1, 4, 1)) }
        var head: [UInt8] = [0x49, 0x49, 42, 0] + le32(8)
        head += le16(entries.count)
        for entry in entries { head += entry }
        head += le32(0)
        return head + Array(make.utf8) + [0] + Array(model.utf8) + [0]
    }
}
