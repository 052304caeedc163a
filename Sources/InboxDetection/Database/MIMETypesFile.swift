/// `/etc/mime.types`, Apache's list in Debian's edition: a MIME type and its extensions a line.
struct MIMETypesFile: ~Copyable, Sendable {
    private var extensions = NameArena()
    private var mimes: [Int32] = []

    /// Reads the file. The first line that names an extension decides.
    mutating func read(_ file: [UInt8], names: inout MIMERelations) {
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let text = line.prefix { $0 != UInt8(ascii: "#") }
            let words = text.split(whereSeparator: ASCII.isSpace)
            guard words.count > 1, words[0].contains(UInt8(ascii: "/")) else { continue }
            let mime = names.number(words[0])
            for word in words.dropFirst() {
                let index = extensions.add(word.map(ASCII.lower))
                if Int(index) == mimes.count { mimes.append(mime) }
            }
        }
    }

    /// The MIME type of an extension in small letters, without a dot.
    func mime(of fileExtension: some Collection<UInt8>) -> Int32? {
        extensions.find(fileExtension).map { mimes[Int($0)] }
    }

    /// The first extension of a MIME type.
    func fileExtension(of mime: Int32) -> ArraySlice<UInt8>? {
        mimes.firstIndex(of: mime).map { extensions.name(Int32(clamping: $0)) }
    }

    /// How many bytes of memory the tables hold.
    var footprint: Int { extensions.footprint + 4 * mimes.capacity }
}
