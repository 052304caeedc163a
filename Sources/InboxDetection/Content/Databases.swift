/// Databases and packets without a fixed signature: Palm, OpenPGP, dBASE.
enum Databases {
    /// Palm databases: a name of 32 bytes at the beginning, the type and the creator at offset 60.
    static func palm(_ head: Bytes) -> (String, Int)? {
        guard head.count >= 78 else { return nil }
        if head.has("BOOKMOBI", at: 60) {
            // The first record's header holds the version of the file format at 36.
            if let record = head.big32(at: 78), head.has("MOBI", at: record + 16), head.big32(at: record + 36) == 8 {
                return ("application/vnd.amazon.mobi8-ebook", 12)
            }
            return ("application/x-mobipocket-ebook", 8)
        }
        if head.has("TEXtREAd", at: 60) { return ("application/x-aportisdoc", 8) }
        if head.has("DataPlkr", at: 60) { return ("application/prs.plucker", 8) }
        for creator: StaticString in ["PNRdPPrs", "appl", "DataPPrs", "ToGoToGo", "SDocSilX", "zTXTGPlm", "BVokBDIC"]
        where head.has(creator, at: 60) && creator.utf8CodeUnitCount == 8 {
            return ("application/vnd.palm", 8)
        }
        return nil
    }

    /// OpenPGP in binary: a packet of the old format with a two-byte length and a known version.
    private static func pretty(_ head: Bytes) -> (String, Int)? {
        if isPassphrase(head) { return ("application/pgp-encrypted", 6) }
        guard let length = head.big16(at: 1), length >= 16 else { return nil }
        switch (head[0], head[3]) {
        case (0xC6, _) where isNewPacket(head): return ("application/pgp-keys", 3)
        case (0x95, 3), (0x95, 4), (0x99, 3), (0x99, 4): return ("application/pgp-keys", 3)
        case (0x85, 3), (0x84, 3): return ("application/pgp-encrypted", 3)
        case (0x89, 3), (0x89, 4): return ("application/pgp-signature", 3)
        default: return nil
        }
    }

    /// A packet of a key made from a passphrase (version, cipher, derivation, hash), then an encrypted packet.
    private static func isPassphrase(_ head: Bytes) -> Bool {
        guard head[0] == 0x8C || head[0] == 0xC3, (4...64).contains(head[1]), [4, 5, 6].contains(head[2]) else {
            return false
        }
        let kind = head[2] == 4 ? 4 : 5
        let cipher = head[2] == 6 ? head[4] : head[3]
        guard (1...13).contains(cipher) else { return false }
        if head[2] == 4 {
            guard [0, 1, 3, 4].contains(head[kind]), (1...14).contains(head[kind + 1]) else { return false }
        }
        // Old packets 9 and 18 in either form of the header.
        return [0xA4, 0xA5, 0xA6, 0xA7, 0xC9, 0xD2, 0xD4].contains(head[2 + Int(head[1])])
    }

    /// The new format's length in two bytes, then a version and a plausible time of creation.
    private static func isNewPacket(_ head: Bytes) -> Bool {
        (192...223).contains(head[1]) && [4, 6].contains(head[3]) && (0x30...0x90).contains(head[4])
    }

    static func mime(_ head: Bytes) -> (String, Int)? {
        if let mime = pretty(head) { return mime }
        // dBASE: version, a date that exists, lengths of header and record, and a first field's kind.
        let versions: [UInt8] = [
            0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB,
        ]
        if versions.contains(head[0]), (1...12).contains(head[2]), (1...31).contains(head[3]),
            let header = head.little16(at: 8), header >= 65, header % 32 <= 8, let record = head.little16(at: 10),
            record > 1, head[12] == 0, head[13] == 0, ASCII.isLetter(head[43]), ASCII.isLetter(head[32])
        {
            return ("application/x-dbf", 6)
        }
        return nil
    }
}
