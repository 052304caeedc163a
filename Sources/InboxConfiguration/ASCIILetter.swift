extension UInt8 {
    /// The byte is an ASCII letter, in either case.
    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
