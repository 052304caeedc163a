/// Class identifiers of the programs that write compound files, in the byte order of the file: the first three fields
/// with the least significant byte first.
enum CompoundClasses {
    static let known: [([UInt8], String)] = office + others + star

    private static let office: [([UInt8], String)] = [
        (old(0x84, 0x10, 0x0C), "application/x-msi"),
        (old(0x86, 0x10, 0x0C), "application/x-msi"),
        (old(0x82, 0x10, 0x0C), "application/x-msi"),
        (old(0x00, 0x09, 0x02), "application/msword"),
        (old(0x06, 0x09, 0x02), "application/msword"),
        (old(0x10, 0x08, 0x02), "application/vnd.ms-excel"),
        (old(0x11, 0x08, 0x02), "application/vnd.ms-excel"),
        (old(0x20, 0x08, 0x02), "application/vnd.ms-excel"),
        (old(0x21, 0x08, 0x02), "application/vnd.ms-excel"),
        (old(0x01, 0x12, 0x02), "application/vnd.ms-publisher"),
        (old(0x0B, 0x0D, 0x02), "application/vnd.ms-outlook"),
        (old(0x11, 0x1A, 0x02), "application/vnd.visio"),
        (old(0x13, 0x1A, 0x02), "application/vnd.visio"),
        (old(0x14, 0x1A, 0x02), "application/vnd.visio"),
    ]

    private static let others: [([UInt8], String)] = [
        (identifier(0x6481_8D10, 0x4F9B, 0x11CF, 0x86EA_00AA_00B9_29E8), "application/vnd.ms-powerpoint"),
        (identifier(0xEA7B_AE70, 0xFB3B, 0x11CD, 0xA903_00AA_0051_0EA3), "application/vnd.ms-powerpoint"),
        (identifier(0xEA7B_AE71, 0xFB3B, 0x11CD, 0xA903_00AA_0051_0EA3), "application/vnd.ms-powerpoint"),
        (identifier(0x74B7_8F3A, 0xC8C8, 0x11D1, 0xBE11_00C0_4FB6_FAF1), "application/vnd.ms-project"),
        (identifier(0x5661_6700, 0xC154, 0x11CE, 0x8553_00AA_00A1_F95B), "image/x-fpx"),
        (identifier(0x0EA4_5AB2, 0x9E0A, 0x11D1, 0xA407_00C0_4FB9_32BA), "application/vnd.ms-works"),
    ]

    /// StarOffice 3, 4 and 5: its drawings and presentations have streams of one name.
    private static let star: [([UInt8], String)] = [
        (identifier(0xDC5C_7E40, 0xB35C, 0x101B, 0x9961_0402_1C00_7002), "application/vnd.stardivision.writer"),
        (identifier(0x8B04_E9B0, 0x420E, 0x11D0, 0xA45E_00A0_249D_57B1), "application/vnd.stardivision.writer"),
        (identifier(0xC20C_F9D1, 0x85AE, 0x11D1, 0xAAB4_0060_97DA_561A), "application/vnd.stardivision.writer"),
        (identifier(0x3F54_3FA0, 0xB6A6, 0x101B, 0x9961_0402_1C00_7002), "application/vnd.stardivision.calc"),
        (identifier(0x6361_D441, 0x4235, 0x11D0, 0x89CB_0080_29E4_B0B1), "application/vnd.stardivision.calc"),
        (identifier(0xC6A5_B861, 0x85D6, 0x11D1, 0x89CB_0080_29E4_B0B1), "application/vnd.stardivision.calc"),
        (identifier(0xAF10_AAE0, 0xB36D, 0x101B, 0x9961_0402_1C00_7002), "application/vnd.stardivision.impress"),
        (identifier(0x012D_3CC0, 0x4216, 0x11D0, 0x89CB_0080_29E4_B0B1), "application/vnd.stardivision.impress"),
        (identifier(0x565C_7221, 0x85BC, 0x11D1, 0x89D0_0080_29E4_B0B1), "application/vnd.stardivision.impress"),
        (identifier(0x2E89_05A0, 0x85BD, 0x11D1, 0x89D0_0080_29E4_B0B1), "application/vnd.stardivision.draw"),
        (identifier(0xFB9C_99E0, 0x2C6D, 0x101C, 0x8E2C_0000_1B4C_C711), "application/vnd.stardivision.chart"),
        (identifier(0x02B3_B7E0, 0x4225, 0x11D0, 0x89CA_0080_29E4_B0B1), "application/vnd.stardivision.chart"),
        (identifier(0xBF88_4321, 0x85DD, 0x11D1, 0x89D0_0080_29E4_B0B1), "application/vnd.stardivision.chart"),
        (identifier(0xD459_0460, 0x35FD, 0x101C, 0xB12A_0402_1C00_7002), "application/vnd.stardivision.math"),
        (identifier(0x02B3_B7E1, 0x4225, 0x11D0, 0x89CA_0080_29E4_B0B1), "application/vnd.stardivision.math"),
        (identifier(0xFFB5_E640, 0x85DE, 0x11D1, 0x89D0_0080_29E4_B0B1), "application/vnd.stardivision.math"),
    ]

    /// An identifier of Microsoft's own series, which differ in the first field.
    private static func old(_ low: UInt8, _ middle: UInt8, _ high: UInt8) -> [UInt8] {
        [low, middle, high, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]
    }

    /// An identifier by its fields, the last two joined.
    static func identifier(_ first: UInt32, _ second: UInt16, _ third: UInt16, _ rest: UInt64) -> [UInt8] {
        var bytes = (0..<4).map { UInt8(truncatingIfNeeded: first >> (8 * $0)) }
        bytes += (0..<2).map { UInt8(truncatingIfNeeded: second >> (8 * $0)) }
        bytes += (0..<2).map { UInt8(truncatingIfNeeded: third >> (8 * $0)) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: rest >> (8 * (7 - $0))) }
        return bytes
    }
}
