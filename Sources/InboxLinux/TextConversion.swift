import Glibc

/// Texts in the encodings of earlier days, by iconv(3).
package enum TextConversion {
    /// The names of encodings that are known, by how they begin; a file's own name for one is never passed on otherwise.
    private static let known = [
        "iso-8859-", "iso8859-", "iso_8859-", "windows-", "cp", "ibm", "koi8-", "iso-2022-jp", "iso-2022-kr", "euc-",
        "euckr", "eucjp", "gb2312", "gb18030", "gbk", "big5", "shift_jis", "shift-jis", "sjis", "tis-620", "macintosh",
        "utf-16", "utf-32", "utf-7", "ks_c_5601-1987", "latin1",
    ]

    /// Returns the text that bytes are in an encoding, as far as they are text; nil where the encoding is not known.
    ///
    /// - Parameters:
    ///   - bytes: At most 64 KiB of them count.
    ///   - charset: The encoding's name as IANA has it, in any case.
    package static func text(_ bytes: UnsafeRawBufferPointer, charset: String) -> String? {
        let name = charset.lowercased()
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        guard isName, name.utf8.count <= 24, known.contains(where: name.hasPrefix) else { return nil }
        // Korean mail names the encoding by its standard.
        guard let conversion = iconv_open("UTF-8", name == "ks_c_5601-1987" ? "cp949" : name),
            UInt(bitPattern: conversion) != .max
        else { return nil }
        defer { iconv_close(conversion) }
        var input = [CChar](UnsafeRawBufferPointer(rebasing: bytes.prefix(65536)).bindMemory(to: CChar.self))
        var output = [UInt8](repeating: 0, count: input.count * 4 + 16)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress
                var fromLeft = input.count
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                var toLeft = output.count
                _ = iconv(conversion, &from, &fromLeft, &to, &toLeft)
                // What is still to be written at the end of a shifted text.
                _ = iconv(conversion, nil, nil, &to, &toLeft)
                return output.count - toLeft
            }
        }
        return String(decoding: output[..<count], as: UTF8.self)
    }
}
