import InboxDetection
import InboxLinux
import UniformTypeIdentifiers

extension DocumentProperties {
    /// Returns what a document's content says of it. The descriptor's offset stays.
    ///
    /// At most 8 reads and 256 KiB, whatever the content; a part that cannot be read counts as not there.
    ///
    /// - Parameters:
    ///   - file: The open document.
    ///   - size: Its size in bytes.
    ///   - type: Its type, as detected: it tells texts apart, which have no signature.
    ///   - name: Its name: a title that only repeats it says nothing.
    ///   - wanted: The wanted properties.
    ///   - now: The time now: no document is from later than a day from now.
    package static func read(
        _ file: borrowing FileDescriptor, size: Int64, type: UTType, name: FileName? = nil, wanted: Names = .all,
        now: Timestamp
    ) -> DocumentProperties {
        withUnsafePointer(to: file) { file in
            withUnsafeTemporaryAllocation(byteCount: Excerpts.spaceSize + Content.headSize, alignment: 8) { space in
                let place = UnsafeMutableRawBufferPointer(rebasing: space[..<Content.headSize])
                do throws(SyscallError) {
                    let count = try file.pointee.read(into: place, at: 0)
                    var excerpts = Excerpts(
                        head: Bytes(UnsafeRawBufferPointer(rebasing: place[..<count])), source: .file(file),
                        size: Int(clamping: min(size, 1 << 60)),
                        space: UnsafeMutableRawBufferPointer(rebasing: space[Content.headSize...]))
                    return read(&excerpts, type, name, wanted, now)
                } catch {
                    // A property never holds a document back: one that cannot be read has none.
                    return DocumentProperties()
                }
            }
        }
    }

    /// Returns what these bytes, which are a whole document, say of it.
    package static func read(
        content bytes: UnsafeRawBufferPointer, type: UTType, name: FileName? = nil, wanted: Names = .all,
        now: Timestamp
    ) -> DocumentProperties {
        withUnsafeTemporaryAllocation(byteCount: Excerpts.spaceSize, alignment: 8) { space in
            let all = Bytes(bytes)
            var excerpts = Excerpts(
                head: all[0..<Content.headSize], source: .memory(all), size: all.count, space: space)
            return read(&excerpts, type, name, wanted, now)
        }
    }

    private static func read(
        _ excerpts: inout Excerpts, _ type: UTType, _ name: FileName?, _ wanted: Names, _ now: Timestamp
    ) -> DocumentProperties {
        var findings = Findings(wanted: wanted, name: name, now: now)
        guard !findings.isComplete, !excerpts.head.isEmpty else { return findings.properties }
        if !readSigned(&excerpts, into: &findings) { readText(type, &excerpts, into: &findings) }
        return findings.properties
    }

    /// Reads what its first bytes show; false where they show nothing.
    private static func readSigned(_ excerpts: inout Excerpts, into findings: inout Findings) -> Bool {
        let head = excerpts.head
        if head.has([0xFF, 0xD8, 0xFF], 0..<3, at: 0) {
            JPEGPicture.read(at: 0, &excerpts, into: &findings)
        } else if head.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0..<8, at: 0) {
            PNGPicture.read(&excerpts, into: &findings)
        } else if head.has("PK\u{3}\u{4}") {
            ArchivedDocument.read(&excerpts, into: &findings)
        } else if head.has([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], 0..<8, at: 0) {
            OfficeSummary.read(&excerpts, into: &findings)
            OutlookMessage.read(&excerpts, into: &findings)
        } else if head.has("RIFF"), head.has("WEBP", at: 8) {
            WebPicture.read(&excerpts, into: &findings)
        } else if head.has("RIFF"), head.has("WAVE", at: 8) {
            TaggedSound.readChunks(&excerpts, isBig: false, into: &findings)
        } else if head.has("FORM"), head.has("AIF", at: 8) {
            TaggedSound.readChunks(&excerpts, isBig: true, into: &findings)
        } else if head.has([0x1A, 0x45, 0xDF, 0xA3], 0..<4, at: 0) {
            MatroskaFile.read(&excerpts, into: &findings)
        } else if head.has("OggS") {
            VorbisComments.readOgg(&excerpts, into: &findings)
        } else if head.has("fLaC") {
            VorbisComments.readFLAC(at: 0, &excerpts, into: &findings)
        } else if head.has("FUJIFILMCCD-RAW") {
            // A preview with EXIF precedes the sensor's data.
            JPEGPicture.read(at: head.big32(at: 84) ?? 0, &excerpts, into: &findings)
        } else if head.has("\0MRM") {
            OtherRaws.readMinolta(&excerpts, into: &findings)
        } else if head.has("FOVb") {
            OtherRaws.readSigma(&excerpts, into: &findings)
        } else if head.has("HEAPCCDR", at: 6) {
            OtherRaws.readCanon(&excerpts, into: &findings)
        } else if head.has("8BPS") {
            LayeredPicture.read(&excerpts, into: &findings)
        } else if head.has("%!PS") || head.has("GIF8") || head.has([0xC5, 0xD0, 0xD3, 0xC6], 0..<4, at: 0) {
            XMPPacket.search(&excerpts, into: &findings)
        } else if head.has("%PDF-") || head.find("%PDF-", before: 1024) != nil && PortableDocument.isLate(head) {
            PDFDocument.read(&excerpts, into: &findings)
        } else if head.has("ID3") {
            readSound(&excerpts, into: &findings)
        } else if head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[1] != 0xFE {
            TaggedSound.readEnd(&excerpts, into: &findings)
        } else if let directory = PictureDirectory(at: 0, size: excerpts.size, &excerpts) {
            directory.read(&excerpts, into: &findings)
        } else if isOfBoxes(head) {
            MediaFile.read(&excerpts, into: &findings)
        } else {
            return false
        }
        return true
    }

    private static func isOfBoxes(_ head: Bytes) -> Bool {
        for name: StaticString in ["ftyp", "moov", "mdat", "wide", "skip", "pnot", "free", "JXL ", "jP  "]
        where head.has(name, at: 4) { return true }
        return false
    }

    private static func readSound(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard var end = TaggedSound.read(at: 0, &excerpts, into: &findings), !findings.isComplete else { return }
        // Some programs write a tag of their own before the one that is there.
        if let next = TaggedSound.read(at: end, &excerpts, into: &findings) { end = next }
        guard !findings.isComplete else { return }
        if excerpts.bytes(at: end, count: 4).has("fLaC") {
            VorbisComments.readFLAC(at: end, &excerpts, into: &findings)
        } else {
            TaggedSound.readEnd(&excerpts, into: &findings)
        }
    }

    private static func readText(_ type: UTType, _ excerpts: inout Excerpts, into findings: inout Findings) {
        if type.conforms(to: .emailMessage) {
            MailMessage.read(&excerpts, into: &findings)
        } else if type.conforms(to: .html) || type.identifier == "public.xhtml" {
            WebPage.read(&excerpts, into: &findings)
        } else if excerpts.head.contains("urn:oasis:names:tc:opendocument:xmlns:office:1.0") {
            let text = excerpts.bytes(at: 0, count: 32 * 1024, ahead: 32 * 1024)
            ArchivedDocument.readOpenDocument(text, into: &findings)
        }
    }
}
