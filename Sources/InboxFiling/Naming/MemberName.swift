import InboxLinux

/// Names of files that belong to another document: they have its whole name in them, or its name without extension.
package enum MemberName {
    /// The suffixes that SQLite adds to the name of a database: it takes a file with such a name for the database's
    /// own.
    static let ofDatabase = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

    /// Returns the name that a member has beside its document when that has another name; nil where there is none.
    package static func renamed(_ member: FileName, of document: FileName, as other: FileName) -> FileName? {
        guard let place = Place(of: document, in: member) else { return nil }
        let name = place.before + (place.isWhole ? other.bytes : stem(of: other)) + place.after
        return name.count > FileName.longest ? nil : FileName(name)
    }

    /// Returns the same for names as text, by section 5 of the contract.
    @Sendable
    package static func renamed(_ member: String, of document: String, as other: String) -> String? {
        func name(_ text: String) -> FileName? { EscapedBytes.bytes(text).flatMap { FileName($0) } }
        guard let member = name(member), let document = name(document), let other = name(other) else { return nil }
        return renamed(member, of: document, as: other)?.escapedText
    }

    /// The place where a document's name, or else its name without extension, is in that of a member: at the beginning, or
    /// else at the last place before the extension.
    private struct Place {
        let before: ArraySlice<UInt8>
        let after: ArraySlice<UInt8>
        /// The whole name is there.
        let isWhole: Bool

        init?(of document: FileName, in member: FileName) {
            let (name, stem, bytes) = (document.bytes, MemberName.stem(of: document), member.bytes)
            guard !stem.isEmpty else { return nil }
            let isLonger = bytes.count > name.count
            let start: Int
            if isLonger, bytes.starts(with: name) {
                (start, isWhole) = (bytes.startIndex, true)
            } else if bytes.starts(with: stem) {
                (start, isWhole) = (bytes.startIndex, false)
            } else if isLonger, let last = MemberName.last(of: name, in: bytes) {
                (start, isWhole) = (last, true)
            } else if let last = MemberName.last(of: stem, in: MemberName.stem(of: member)) {
                (start, isWhole) = (last, false)
            } else {
                return nil
            }
            before = bytes[..<start]
            after = bytes[(start + (isWhole ? name : stem).count)...]
        }
    }

    private static func last(of part: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Int? {
        guard part.count <= bytes.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - part.count)).last { bytes[$0...].starts(with: part) }
    }

    /// Returns the name of the row of `wanted` that a document has to get beside this member: the reverse of
    /// ``renamed(_:of:as:)``. Nil where the member has a name that none of the row gives it.
    package static func document(
        _ former: FileName, as wanted: FileName, beside member: FileName, which was: FileName
    ) -> FileName? {
        guard let place = Place(of: former, in: was), member.bytes.starts(with: place.before),
            member.count > place.before.count + place.after.count,
            member.bytes.suffix(place.after.count).elementsEqual(place.after)
        else { return nil }
        let kept = member.bytes.dropFirst(place.before.count).dropLast(place.after.count)
        let rest = place.isWhole ? [] : wanted.bytes.dropFirst(stem(of: wanted).count)
        guard let name = FileName(Array(kept + rest)),
            NumberedName(wanted).number(of: name) != nil, renamed(was, of: former, as: name) == member
        else { return nil }
        return name
    }

    /// The name without its extension.
    static func stem(of name: FileName) -> ArraySlice<UInt8> {
        let ending = NumberedName.pathExtension(of: name)
        return ending.isEmpty ? name.bytes : name.bytes.dropLast(ending.count + 1)
    }

    /// Returns the names by which SQLite would take other files for those of a database of this name.
    package static func logs(of database: FileName) -> [FileName] {
        ofDatabase.compactMap { FileName(database.bytes + $0) }
    }

    /// Returns the likeliest names of files that belong to a document of this name.
    package static func members(of document: FileName) -> [FileName] {
        let stem = Array(stem(of: document))
        return (ofDatabase + endings).compactMap { FileName(document.bytes + $0) }
            + mains.keys.compactMap { FileName(stem + Array(".\($0)".utf8)) }.filter { $0 != document }
    }

    /// Returns the name of the database that a file of this name would be taken for a part of.
    static func database(of log: FileName) -> FileName? {
        let last = log.bytes.last
        guard last == UInt8(ascii: "l") || last == UInt8(ascii: "m") else { return nil }
        return ofDatabase.first { log.count > $0.count && log.bytes.suffix($0.count).elementsEqual($0) }
            .flatMap { FileName(log.bytes.dropLast($0.count)) }
    }

    /// Returns whether a name is that of a database's log.
    package static func isLog(_ name: FileName, of database: FileName) -> Bool { logs(of: database).contains(name) }

    /// Returns whether a name is one that SQLite gives to a log of some database.
    package static func isLog(_ name: FileName) -> Bool { database(of: name) != nil }

    /// Returns the names of the documents that a file of this name may belong to, the likeliest first.
    package static func documents(of member: FileName) -> [FileName] {
        guard hasEnding(member) else { return [] }
        var found: [FileName] = []
        for ending in ofDatabase + endings {
            if member.count > ending.count, member.bytes.suffix(ending.count).elementsEqual(ending),
                let name = FileName(member.bytes.dropLast(ending.count))
            {
                found.append(name)
            }
        }
        let ending = String(decoding: NumberedName.pathExtension(of: member), as: UTF8.self).lowercased()
        guard let extensions = mains[ending] else { return found }
        var stems = [stem(of: member)]
        // film.de.srt
        if ending == "srt", let inner = FileName(stems[0]) {
            let language = NumberedName.pathExtension(of: inner)
            if (2...8).contains(language.count) { stems.append(stem(of: inner)) }
        }
        for stem in stems {
            for other in extensions {
                for spelling in [other, other.uppercased()] {
                    if let name = FileName(stem + Array(".\(spelling)".utf8)), name != member { found.append(name) }
                }
            }
        }
        return found
    }

    /// Returns whether the last four bytes are those of such a name: nearly no document has them.
    private static func hasEnding(_ name: FileName) -> Bool {
        name.withBytes { bytes in
            guard bytes.count > 4 else { return false }
            let word = bytes.suffix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1 | 0x20) }
            return switch word {
            // -wal -shm rnal .xmp .aae .srt .mov .asc .sig a256
            case 0x2D77_616C, 0x2D73_686D, 0x726E_616C, 0x2E78_6D70, 0x2E61_6165, 0x2E73_7274, 0x2E6D_6F76, 0x2E61_7363,
                0x2E73_6967, 0x6132_3536:
                true
            default: false
            }
        }
    }

    /// The endings that programs add to the whole name of a document.
    private static let endings = [".xmp", ".asc", ".sig", ".sha256"].map { Array($0.utf8) }

    private static let photos = [
        "nef", "cr2", "cr3", "arw", "dng", "raf", "orf", "rw2", "pef", "srw", "nrw", "heic", "jpg", "jpeg", "tif",
        "tiff",
        "png", "mp4", "mov",
    ]

    /// The extensions of the documents that files of an extension belong to.
    private static let mains: [String: [String]] = [
        "xmp": photos, "aae": ["heic", "jpg", "jpeg", "png", "mov"],
        "srt": ["mkv", "mp4", "m4v", "avi", "mov", "webm", "mpg", "ts"], "mov": ["heic"],
    ]
}
