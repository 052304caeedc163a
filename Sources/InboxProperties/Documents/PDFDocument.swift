import InboxDetection

/// A PDF by its cross-reference tables and streams, through all its incremental updates (ISO 32000-1, 7.5).
struct PDFDocument {
    /// Updates, and tables beside them, that are followed.
    private static let mostSections = 8
    /// Bytes of a table of objects that are unpacked.
    private static let tableLimit = 96 * 1024
    /// Bytes of a stream of objects that are unpacked.
    private static let objectsLimit = 96 * 1024
    private static let packetSize = 64 * 1024
    /// Bytes before a table that is cut in which the last objects are searched for.
    private static let cutReach = 8 * 1024
    /// Bytes of the end in which the last table and what follows it are, in most documents.
    private static let endReach = 16 * 1024

    /// A part of the table, the latest first.
    private enum Section {
        /// Where lines of a plain table begin.
        case table(Int)
        /// Rows of a stream: their fields' widths, and the objects that they are for.
        case stream(rows: Bytes, widths: [Int], index: [Int])
    }

    /// Where an object lies.
    private enum Place {
        case offset(Int)
        case inStream(Int)
    }

    private var sections: [Section] = []
    private var root: Int?
    private var information: PDFValue?
    private var isEncrypted = false
    /// A table is longer than what is unpacked of it: the last objects of a large document lie before it.
    private var isTableCut = false
    /// The number of bytes before the document, which are not counted in its offsets.
    private var start = 0
    /// Where objects lie in a document whose table is damaged.
    private var recovered: [Int: Int] = [:]
    private var lastObjects: (stream: Int, content: Bytes, first: Int, count: Int)?

    /// Takes what a document says: its XMP first, which is the more exact of the two.
    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        var document = PDFDocument()
        document.start = excerpts.head.find("%PDF-", before: 1024) ?? 0
        document.readSections(&excerpts)
        if document.root == nil || document.isTableCut { document.searchEnds(&excerpts) }
        document.readPacket(&excerpts, into: &findings)
        guard !findings.isComplete, !document.isEncrypted else { return }
        document.readInformation(&excerpts, into: &findings)
    }

    private mutating func readSections(_ excerpts: inout Excerpts) {
        let place = max(0, excerpts.size - Self.endReach)
        let end = excerpts.bytes(at: place, count: Self.endReach)
        var last: Int?
        var here = max(0, end.count - 2048)
        while let found = end.find("startxref", from: here) {
            last = found
            here = found + 1
        }
        guard let last else { return }
        var reader = PDFReader(end, at: last + 9)
        guard let first = reader.count() else { return }
        var open = [first]
        var seen: Set<Int> = []
        while let offset = open.popLast(), seen.count < Self.mostSections {
            guard seen.insert(offset).inserted else { continue }
            guard let trailer = readSection(at: start + offset, &excerpts) ?? readSection(at: offset, &excerpts) else {
                continue
            }
            if root == nil { root = trailer["Root"]?.reference }
            if information == nil { information = trailer["Info"] }
            if trailer["Encrypt"] != nil { isEncrypted = true }
            // In hybrid documents a stream beside the table has what older programs should not see.
            if let previous = trailer["Prev"]?.number { open.append(previous) }
            if let beside = trailer["XRefStm"]?.number { open.append(beside) }
        }
    }

    /// Reads a part of the table, and returns the dictionary that it has.
    private mutating func readSection(at offset: Int, _ excerpts: inout Excerpts) -> PDFValue? {
        guard offset >= 0 else { return nil }
        let bytes = excerpts.bytes(at: offset, count: 64, ahead: 8192)
        var reader = PDFReader(bytes)
        if reader.skip("xref") { return readTable(at: offset + reader.place, &excerpts) }
        guard reader.objectStart() != nil else { return nil }
        let window = excerpts.bytes(at: offset, count: 1024)
        reader = PDFReader(window, at: reader.place)
        guard let dictionary = reader.value(), dictionary["W"] != nil else { return nil }
        guard let rows = stream(dictionary, after: reader, at: offset, Self.tableLimit, &excerpts) else {
            return dictionary
        }
        let index = dictionary["Index"]?.numbers ?? [0, dictionary["Size"]?.number ?? 0]
        let widths = dictionary["W"]?.numbers ?? []
        let width = widths.reduce(0, &+)
        let count = stride(from: 1, to: index.count, by: 2).reduce(0) { $0 &+ index[$1] }
        if width > 0, rows.count / width < count {
            isTableCut = true
            let start = max(0, offset - Self.cutReach)
            _ = excerpts.bytes(at: start, count: offset - start)
        }
        sections.append(.stream(rows: rows, widths: widths, index: index))
        return dictionary
    }

    /// Follows a plain table to its end, where its dictionary is.
    private mutating func readTable(at start: Int, _ excerpts: inout Excerpts) -> PDFValue? {
        sections.append(.table(start))
        var place = start
        for _ in 0..<1024 {
            guard let part = tablePart(at: place, &excerpts) else { break }
            place = part.rows + part.count * part.width
        }
        var reader = PDFReader(excerpts.bytes(at: place, count: 64, ahead: 2048))
        guard reader.skip("trailer") else { return nil }
        let size = min(2048, excerpts.size - place)
        reader = PDFReader(excerpts.bytes(at: place, count: size, ahead: size), at: reader.place)
        return reader.value()
    }

    /// The head of a part of a table: for which objects it is, where its rows begin and how long each of them is.
    private func tablePart(
        at place: Int, _ excerpts: inout Excerpts
    ) -> (first: Int, count: Int, rows: Int, width: Int)? {
        let bytes = excerpts.bytes(at: place, count: 96)
        var reader = PDFReader(bytes)
        guard let first = reader.count(), let count = reader.count(), count < 1 << 24 else { return nil }
        reader.skipBlanks()
        let rows = reader.place
        // Rows have 20 bytes, but some programs leave out one of the two at their end.
        let isShort =
            count > 0 && bytes[rows + 18] == 0x0A && bytes[rows + 19] != 0x0A && bytes[rows + 19] != 0x0D
            && bytes[rows + 19] != 0x20
        return (first, count, place + rows, isShort ? 19 : 20)
    }

    private mutating func place(of object: Int, _ excerpts: inout Excerpts) -> Place? {
        for section in sections {
            let found: Place? =
                switch section {
                case .table(let start): tablePlace(of: object, start, &excerpts)
                case .stream(let rows, let widths, let index): streamPlace(of: object, rows, widths, index)
                }
            if let found { return found }
        }
        return recovered[object].map { .offset($0) }
    }

    private func tablePlace(of object: Int, _ start: Int, _ excerpts: inout Excerpts) -> Place? {
        var place = start
        for _ in 0..<1024 {
            guard let part = tablePart(at: place, &excerpts) else { return nil }
            if object >= part.first, object < part.first + part.count {
                let row = excerpts.bytes(at: part.rows + (object - part.first) * part.width, count: 20, ahead: 512)
                var reader = PDFReader(row)
                guard let offset = reader.count(), reader.count() != nil, reader.skip("n") else { return nil }
                return .offset(offset)
            }
            place = part.rows + part.count * part.width
        }
        return nil
    }

    private func streamPlace(of object: Int, _ rows: Bytes, _ widths: [Int], _ index: [Int]) -> Place? {
        guard widths.count >= 3, widths.allSatisfy({ (0...8).contains($0) }) else { return nil }
        let width = widths[0] + widths[1] + widths[2]
        var before = 0
        for part in stride(from: 0, to: index.count - 1, by: 2) {
            guard index[part] >= 0, index[part + 1] >= 0, index[part + 1] < 1 << 24 else { return nil }
            guard object >= index[part], object - index[part] < index[part + 1] else {
                before += index[part + 1]
                continue
            }
            let row = rows.from((before + object - index[part]) * width)
            guard row.count >= width else { return nil }
            func field(_ start: Int, _ count: Int) -> Int {
                (0..<count).reduce(0) { ($0 & 0xFF_FFFF_FFFF) << 8 | Int(row[start + $1]) }
            }
            let kind = widths[0] == 0 ? 1 : field(0, widths[0])
            let value = field(widths[0], widths[1])
            return kind == 1 ? .offset(value) : kind == 2 ? .inStream(value) : nil
        }
        return nil
    }

    /// An object that is not in a stream: its value, a reader after it, and where it begins.
    private func object(
        _ number: Int, at offset: Int, _ count: Int, _ excerpts: inout Excerpts
    ) -> (value: PDFValue, reader: PDFReader, place: Int)? {
        for place in start > 0 ? [start + offset, offset] : [offset] {
            var reader = PDFReader(excerpts.bytes(at: place, count: count, ahead: count))
            guard reader.objectStart() == number, let value = reader.value() else { continue }
            return (value, reader, place)
        }
        return nil
    }

    private mutating func value(of number: Int, _ excerpts: inout Excerpts) -> PDFValue? {
        switch place(of: number, &excerpts) {
        case .offset(let offset): return object(number, at: offset, 4096, &excerpts)?.value
        case .inStream(let stream):
            guard let objects = objects(in: stream, &excerpts) else { return nil }
            var header = PDFReader(objects.content)
            for _ in 0..<objects.count {
                guard let own = header.count(), let offset = header.count() else { return nil }
                guard own == number else { continue }
                var reader = PDFReader(objects.content, at: objects.first + offset)
                return reader.value()
            }
            return nil
        case nil: return nil
        }
    }

    private mutating func objects(
        in number: Int, _ excerpts: inout Excerpts
    ) -> (content: Bytes, first: Int, count: Int)? {
        if let last = lastObjects, last.stream == number { return (last.content, last.first, last.count) }
        guard case .offset(let offset)? = place(of: number, &excerpts),
            let found = object(number, at: offset, 4096, &excerpts), let first = found.value["First"]?.number,
            let count = found.value["N"]?.number, first >= 0, count >= 0,
            let content = stream(found.value, after: found.reader, at: found.place, Self.objectsLimit, &excerpts)
        else { return nil }
        lastObjects = (number, content, first, count)
        return (content, first, count)
    }

    /// The data of a stream, unpacked, where they are packed as properties are.
    private mutating func stream(
        _ dictionary: PDFValue, after reader: PDFReader, at offset: Int, _ limit: Int, _ excerpts: inout Excerpts
    ) -> Bytes? {
        var reader = reader
        guard reader.skip("stream") else { return nil }
        if reader.bytes[reader.place] == 0x0D { reader.place += 1 }
        if reader.bytes[reader.place] == 0x0A { reader.place += 1 }
        // A length may be an object of its own: what follows the data then ends them just as well.
        let length = dictionary["Length"]?.number ?? limit
        guard length > 0 else { return nil }
        let data = excerpts.bytes(at: offset + reader.place, count: min(length, limit), ahead: min(length, 8192))
        guard let filter = dictionary["Filter"] else { return data }
        if case .array(let filters) = filter, filters.isEmpty { return data }
        // Two bytes of zlib precede what is packed.
        guard filter.isName("FlateDecode") || filter.isName("Fl") else { return nil }
        let plain = excerpts.inflate(data.from(2), limit: limit)
        guard let parameters = dictionary["DecodeParms"]?.firstDictionary,
            let predictor = parameters["Predictor"]?.number, predictor >= 10
        else { return plain }
        return Self.unpredicted(plain, columns: parameters["Columns"]?.number ?? 1, &excerpts)
    }

    /// Rows of bytes that are differences to their neighbours, as in PNG.
    private static func unpredicted(_ rows: Bytes, columns: Int, _ excerpts: inout Excerpts) -> Bytes? {
        guard columns > 0, columns < 1024 else { return nil }
        return excerpts.keep(limit: rows.count) { room in
            var filled = 0
            for start in stride(from: 0, to: rows.count - columns, by: columns + 1) {
                guard filled + columns <= room.count else { break }
                let kind = rows[start]
                for index in 0..<columns {
                    let left = index > 0 ? Int(room[filled + index - 1]) : 0
                    let up = filled > 0 ? Int(room[filled + index - columns]) : 0
                    let corner = filled > 0 && index > 0 ? Int(room[filled + index - columns - 1]) : 0
                    let guess: Int
                    switch kind {
                    case 1: guess = left
                    case 2: guess = up
                    case 3: guess = (left + up) / 2
                    case 4:
                        let sum = left + up - corner
                        let (a, b, c) = (abs(sum - left), abs(sum - up), abs(sum - corner))
                        guess = a <= b && a <= c ? left : b <= c ? up : corner
                    default: guess = 0
                    }
                    room[filled + index] = rows[start + 1 + index] &+ UInt8(truncatingIfNeeded: guess)
                }
                filled += columns
            }
            return filled
        }
    }

    private mutating func readPacket(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard let root, let catalog = value(of: root, &excerpts), let number = catalog["Metadata"]?.reference,
            case .offset(let offset)? = place(of: number, &excerpts),
            let found = object(number, at: offset, 4096, &excerpts),
            let packet = stream(found.value, after: found.reader, at: found.place, Self.packetSize, &excerpts)
        else { return }
        XMPPacket.read(packet, into: &findings)
    }

    private mutating func readInformation(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let dictionary: PDFValue? =
            switch information {
            case .reference(let number)?: value(of: number, &excerpts)
            default: information
            }
        guard let dictionary else { return }
        if findings.needsDate, let written = string(dictionary["CreationDate"], &excerpts) {
            let text = written.withUnsafeBytes { TextDecoding.portable(Bytes($0)) }
            findings.offer(Bytes.lending(text) { WrittenDate.portable($0) }, from: .pdf)
        }
        for (name, isTitle) in [("Title" as StaticString, true), ("Author", false)] {
            guard isTitle ? findings.needsTitle : findings.needsAuthor,
                let written = string(dictionary[name], &excerpts)
            else { continue }
            let text = written.withUnsafeBytes { TextDecoding.portable(Bytes($0)) }
            if isTitle { findings.offer(title: text) } else { findings.offer(author: text) }
        }
    }

    private mutating func string(_ value: PDFValue?, _ excerpts: inout Excerpts) -> [UInt8]? {
        switch value {
        case .string(let written, let isHex)?: return PDFReader.plain(written, isHex: isHex)
        case .reference(let number)?:
            guard case .string(let written, let isHex)? = self.value(of: number, &excerpts) else { return nil }
            return PDFReader.plain(written, isHex: isHex)
        default: return nil
        }
    }

    /// Looks for objects themselves where the table is damaged or cut, in what was read anyway.
    private mutating func searchEnds(_ excerpts: inout Excerpts) {
        let needsTrailer = root == nil
        var rows: [(object: Int, offset: Int)] = []
        for (offset, bytes) in excerpts.excerpts {
            var here = 0
            while let found = bytes.find(" obj", from: here), rows.count < 4096 {
                here = found + 4
                // `12 0`, backwards.
                var place = found
                while place > 0, ASCII.isDigit(bytes[place - 1]) { place -= 1 }
                guard place < found, bytes[place - 1] == 0x20 else { continue }
                place -= 1
                let end = place
                while place > 0, end - place < 10, ASCII.isDigit(bytes[place - 1]) { place -= 1 }
                var reader = PDFReader(bytes, at: place)
                if place < end, let number = reader.count() { rows.append((number, offset + place - start)) }
            }
            here = 0
            while needsTrailer, let found = bytes.find("trailer", from: here) {
                here = found + 7
                var reader = PDFReader(bytes, at: here)
                guard let trailer = reader.value(), let root = trailer["Root"]?.reference else { continue }
                self.root = root
                information = trailer["Info"] ?? information
                if trailer["Encrypt"] != nil { isEncrypted = true }
            }
        }
        recovered = Dictionary(rows.map { ($0.object, $0.offset) }) { $1 }
    }
}
