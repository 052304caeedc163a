/// Formats without a signature whose header still rules out most bytes.
///
/// They are asked only where nothing was found: what is excluded here is not of the kind that its name says.
enum HeaderChecks {
    /// Returns whether a file with this beginning cannot be of this format; false if that is not known.
    static func excludes(_ mime: String, _ content: inout Content) -> Bool {
        let head = content.head
        switch mime {
        case "application/x-tar": return head.count >= 512 && !isZero(head[0..<512])
        case "image/vnd.microsoft.icon", "image/x-win-bitmap":
            return head.big16(at: 0) != 0 || ![1, 2].contains(head.little16(at: 2) ?? 0)
        case "application/vnd.microsoft.portable-executable":
            return !head.has("MZ") && !head.has("ZM")
        case "audio/mpeg", "audio/mp2", "audio/aac", "audio/ac3":
            return !isZero(head[0..<16]) && !Frames.isWithin(head)
        case "video/mp2t": return !isZero(head[0..<16])
        case "application/x-python-bytecode": return !head.has("\r\n", at: 2)
        case "application/pkix-cert", "application/x-x509-ca-cert", "application/x-der-key", "application/pkcs12",
            "application/x-pkcs12":
            return head[0] != 0x30
        case "application/pgp-encrypted", "application/pgp-keys", "application/pgp-signature":
            return !isPacket(head)
        case "model/stl": return !isSurface(&content)
        case "application/x-dbf": return !isTable(head)
        case "image/x-tga": return head[1] > 1 || head[2] & ~11 != 0 || ![1, 8, 15, 16, 24, 32].contains(head[16])
        case "application/x-lha", "application/x-lzh-compressed": return !head.has("-l", at: 2)
        case "image/vnd.wap.wbmp": return head[0] != 0
        case "application/x-lzma": return head[0] >= 225 || head.little32(at: 1) ?? 0 < 4096
        case "video/dv": return head[0] != 0x1F
        case "image/x-pict": return head[522] != 0x11 && head[523] != 0x11 && head[10] != 0x11 && head[11] != 0x11
        default: return false
        }
    }

    /// Room that a program keeps free, or a file without content yet.
    private static func isZero(_ bytes: Bytes) -> Bool { bytes.run(of: 0) == bytes.count }

    /// RFC 9580, section 4.2: the first bit is set, and the packet's kind is one that a file begins with.
    private static func isPacket(_ head: Bytes) -> Bool {
        guard head[0] & 0x80 != 0 else { return false }
        let isNew = head[0] & 0x40 != 0
        return [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 18, 20].contains(isNew ? head[0] & 0x3F : head[0] >> 2 & 15)
    }

    /// 80 bytes of any kind, a count, and 50 bytes for each triangle; some programs add something at the end.
    private static func isSurface(_ content: inout Content) -> Bool {
        guard let count = content.head.little32(at: 80), let size = content.size() else { return false }
        return 84 + 50 * count <= size
    }

    /// dBASE: lengths of the header and of a record, whatever the version and the date are.
    private static func isTable(_ head: Bytes) -> Bool {
        guard let header = head.little16(at: 8), let record = head.little16(at: 10) else { return false }
        return header >= 33 && record > 0 && head[12] == 0 && head[13] == 0
    }
}
