import UniformTypeIdentifiers

/// The result of the built-in rules, before it is joined with the database's.
struct BuiltInMatch {
    let mime: String
    let carrier: Carrier?
    let fixed: Int
    /// The document names its format literally, so that no rule can know better.
    var isExact = false
}

extension Knowledge {
    /// Returns what the content shows, and whether it rules out everything that the name may mean.
    func finding(_ content: inout Content, _ names: [NamedKind]) -> ContentFinding {
        guard !content.head.isEmpty else { return .empty }
        let found = shown(&content, names)
        switch found {
        case .unknown(guess: nil): return isExcluded(names, &content) ? .excluded : found
        case .text(let guess): return isForeign(names, content.head) ? .foreign(guess) : found
        case .likely(let kind): return isForeign(names, content.head) ? .foreign(kind) : found
        case .unread, .empty, .unknown, .excluded, .foreign, .signature: return found
        }
    }

    /// Returns whether a text lacks the required mark of every kind that its name may mean.
    private func isForeign(_ names: [NamedKind], _ head: Bytes) -> Bool {
        var marks: [RequiredMark] = []
        for named in names where named.isText {
            guard let mark = named.required else { return false }
            marks.append(mark)
        }
        guard !marks.isEmpty, !names.contains(where: { !$0.isText && !$0.isBinary && !$0.isMandatory }) else {
            return false
        }
        return TextSniffer(head).lacks(marks)
    }

    private func isExcluded(_ names: [NamedKind], _ content: inout Content) -> Bool {
        var isNamed = false
        for named in names where !named.isClaim {
            let kind = named.kind
            // The database may have one MIME type for formats that the table tells apart.
            let formats = [kind.format, FormatTable.builtIn.format(identifier: kind.type.identifier)]
            let mimes = formats.compactMap { $0.map { FormatTable.builtIn[$0].mime } } + [mime(of: kind) ?? ""]
            guard mimes.contains(where: { HeaderChecks.excludes($0, &content) }) else { return false }
            isNamed = true
        }
        return isNamed
    }

    /// Returns what the content shows. Weak rules are applied only to files whose name leaves the type open.
    private func shown(_ content: inout Content, _ names: [NamedKind]) -> ContentFinding {
        if let builtIn = builtIn(&content) {
            if isSettled(builtIn) { return .signature(found(builtIn)) }
            return .signature(join(builtIn, database.magic.match(content.head, database.relations)))
        }
        let sniffer = TextSniffer(content.head)
        var text = sniffer.finding()
        if case .sure("message/rfc822", _, _) = text, isMailbox(&content) {
            text = .sure("application/mbox", nil, fixed: 11)
        }
        if text == nil, let mime = DiskImage.elsewhere(&content) {
            return .signature(found(BuiltInMatch(mime: mime.mime, carrier: nil, fixed: mime.fixed)))
        }
        var rule = ruleOfDatabase(content.head, text)
        if names.isEmpty, text != nil, let known = rule, isChance(known, content.head) { rule = nil }
        if case .plain = text, isOpen(names, rule) { text = sniffer.guess() }
        switch text {
        case .sure(let mime, let carrier, let fixed):
            let own = FormatTable.builtIn.format(mime: mime).flatMap { FormatTable.builtIn[$0].isCarrier }
            let match = BuiltInMatch(mime: mime, carrier: carrier ?? own, fixed: fixed)
            if let rule, rule.priority >= Self.firm, isUnrelated(rule, match) { return .signature(found(rule)) }
            return .signature(join(match, rule))
        case .likely(let mime, let carrier):
            // The root element was read: HTML somewhere inside does not make a page of another dialect.
            let isPage = carrier != nil && rule.map { database.relations.text($0.mime) == "text/html" } ?? false
            return self.text(BuiltInMatch(mime: mime, carrier: carrier, fixed: 1), isPage ? nil : rule)
        case .guess(let mime):
            // Lines that all fit are better evidence than one short comparison, such as a comment's beginning.
            let guess = found(BuiltInMatch(mime: mime, carrier: nil, fixed: 0))
            guard let rule, rule.priority > 50 || rule.fixed >= 8, !isAccidental(rule, content.head) else {
                return .text(guess: guess)
            }
            return self.text(found(rule), rule)
        case .plain:
            guard let rule, !names.isEmpty || rule.fixed >= Self.leastText, !isAccidental(rule, content.head) else {
                return .text(guess: nil)
            }
            return self.text(found(rule), rule)
        case nil:
            guard let rule else {
                guard ZipContainer.follows(&content) else { return .unknown(guess: nil) }
                return .signature(found(BuiltInMatch(mime: "application/zip", carrier: .zip, fixed: 8)))
            }
            let found = found(rule)
            return rule.priority < 40 || rule.fixed < 3 ? .unknown(guess: found) : .signature(found)
        }
    }

    /// The database's match, unless that is a few bytes or a word that other files begin with as well.
    private func ruleOfDatabase(_ head: Bytes, _ text: TextFinding?) -> MIMEMagic.Match? {
        guard let rule = database.magic.match(head, database.relations) else { return nil }
        // What is no text is no program either, though it begins with a sign of comments; a program may carry data.
        if text == nil, isTextRule(rule), !head.has("#!") { return nil }
        if text != nil, rule.fixed < Self.leastWord, let format = format(rule.mime), !mayBeText(format) { return nil }
        switch database.relations.text(rule.mime) {
        case "application/mbox":
            if case .sure("message/rfc822", _, _) = text { return nil }
            return MailText.isEnvelope(head) ? rule : nil
        // A memorandum begins so as well; messages were looked for above.
        case "message/rfc822":
            guard case .plain = text, head.has("From:") || head.has("Subject:") else { return rule }
            return nil
        // A directory's place and size are below 16 MiB; a word in capitals has letters there.
        case "application/x-pak": return head[7] == 0 && head[11] == 0 ? rule : nil
        // Titles are underlined or framed so, too.
        case "text/x-patch":
            guard head.has("*** ") || head.has("=== ") || head.has("--- ") else { return rule }
            return head.contains("\n--- ") || head.contains("\n+++ ") || head.contains("\n@@ ") ? rule : nil
        // Other tables begin with the same version; a font has some tables.
        case "font/ttf": return (1...256).contains(head.big16(at: 4) ?? 0) ? rule : nil
        case "model/mtl": return head.has("newmtl ") || head.contains("\nnewmtl ") ? rule : nil
        case "text/vnd.graphviz": return head.index(of: UInt8(ascii: "{")) == nil ? nil : rule
        case "image/vnd.microsoft.icon", "image/x-win-bitmap": return head.little16(at: 4) == 0 ? nil : rule
        case "image/x-xfig": return head.has("#FIG ") ? rule : nil
        // The header was read, and is none.
        case "image/x-tga", "image/x-portable-bitmap", "image/x-portable-graymap", "image/x-portable-pixmap": return nil
        default: return rule
        }
    }

    /// Returns whether a message that begins as in a mailbox and is longer than the head is followed by another.
    private func isMailbox(_ content: inout Content) -> Bool {
        guard content.head.has("From "), !content.isWhole else { return false }
        return content.reading(at: Content.headSize - 8, count: 24 * 1024) { bytes, _ in bytes.contains("\nFrom ") }
    }

    /// Returns whether no rule of the database can be more specific: the match is exact, or it is a firm signature of
    /// a format without special cases there.
    private func isSettled(_ match: BuiltInMatch) -> Bool {
        match.isExact
            || (match.fixed >= 3 && FormatTable.builtIn.format(mime: match.mime).map(hasNoSpecialCases) ?? false)
    }

    /// From this priority on the database's rules outweigh names, as its specification has it.
    private static let firm: UInt8 = 80

    /// A signature of fewer bytes than this may be a word at a text's beginning.
    private static let leastWord = 8

    /// Returns whether a signature is a word that a text begins with, such as `PATCH NOTES` or `MOVIE NIGHT`: files
    /// of the format are never text from end to end.
    private func isWord(_ match: SignatureTable.Match, _ head: Bytes) -> Bool {
        match.fixed < Self.leastWord && !mayBeText(match.format) && FormatTable.builtIn.signatures.isPrintable(match)
            && TextEncoding.isTextThroughout(head)
    }

    /// Returns whether all files that a rule of the database is for are text.
    private func isTextRule(_ rule: MIMEMagic.Match) -> Bool {
        if let format = format(rule.mime) { return FormatTable.builtIn[format].isText }
        return isSubclass(database.relations.canonical(rule.mime), of: database.relations.plainText)
    }

    private func mayBeText(_ id: FormatID) -> Bool { FormatTable.builtIn[id].mayBeText }

    /// Fewer bytes than this are no evidence in text: a percent sign begins comments in many languages.
    private static let leastText = 3

    /// Returns whether the database matched Perl by a quoted directive of JavaScript, `"use strict"`, or by an
    /// example inside a manual, or C by a word that includes no file.
    private func isAccidental(_ rule: MIMEMagic.Match, _ head: Bytes) -> Bool {
        switch database.relations.text(rule.mime) {
        case "application/x-perl":
            if head.contains("\"use strict\"") || head.contains("'use strict'") { return true }
            // A program has one of these at the beginning of a line.
            let starts: [StaticString] = ["\nuse ", "\npackage ", "\nBEGIN", "\neval ", "\nsub ", "\nmy ", "\n="]
            return !head.has("use ") && !head.has("BEGIN") && !head.has("eval ") && !head.has("#!")
                && !starts.contains { head.contains($0) }
        case "text/x-csrc":
            guard let place = head.find("#include") else { return false }
            var next = place + 8
            while head[next] == 0x20 || head[next] == 0x09 { next += 1 }
            return head[next] != UInt8(ascii: "<") && head[next] != UInt8(ascii: "\"")
        default: return false
        }
    }

    /// Text whose rule may be a coincidence of words: only a firm rule of the database makes it a signature.
    private func text(_ match: BuiltInMatch, _ rule: MIMEMagic.Match?) -> ContentFinding {
        guard let rule, prefers(rule, to: match) else { return .likely(found(match)) }
        return text(found(rule), rule)
    }

    private func text(_ found: FoundKind, _ rule: MIMEMagic.Match) -> ContentFinding {
        if rule.priority >= Self.firm { return .signature(found) }
        return rule.fixed >= 12 ? .likely(found) : .text(guess: found)
    }

    private func isUnrelated(_ rule: MIMEMagic.Match, _ match: BuiltInMatch) -> Bool {
        guard let own = database.relations.known(match.mime.utf8) else { return true }
        return !isSubclass(own, of: rule.mime) && !isSubclass(rule.mime, of: own)
    }

    /// The fixed signatures, refined by the format's own structure, and the structures without a signature.
    private func builtIn(_ content: inout Content) -> BuiltInMatch? {
        guard let match = FormatTable.builtIn.signatures.match(content.head), !isWord(match, content.head) else {
            return image(structure(&content), &content)
        }
        let format = FormatTable.builtIn[match.format]
        if format.isCarrier == .zip {
            let archive = ZipContainer.finding(&content)
            return BuiltInMatch(
                mime: archive.mime ?? format.mime,
                carrier: archive.isBare ? .bareZip : archive.mime == nil ? .zip : nil,
                fixed: match.fixed + 4, isExact: archive.mime != nil)
        }
        if let refined = Refinement.mime(format, &content) {
            // The content of an archive was compared byte by byte too; that of a packed stream was only guessed.
            return BuiltInMatch(
                mime: refined,
                carrier: FormatTable.builtIn.format(mime: refined).flatMap { FormatTable.builtIn[$0].isCarrier },
                fixed: format.isCarrier == .gzip ? 2 : match.fixed + 4)
        }
        // Many formats begin with the same two bytes: a structure that fits is better evidence.
        let isCompression = format.isCarrier.map { Self.compressions.contains($0) } ?? false
        if match.fixed < (isCompression ? 3 : 4), format.carrier == nil, let other = structure(&content),
            other.fixed > match.fixed
        {
            return other
        }
        return image(BuiltInMatch(mime: format.mime, carrier: format.isCarrier, fixed: match.fixed), &content)
    }

    private static let compressions: [Carrier] = [.gzip, .bzip, .xz, .lzma, .zstd, .lz4, .lzip, .compress]

    /// A disk image begins with its data: what they resemble counts only if no description follows at the end.
    private func image(_ match: BuiltInMatch?, _ content: inout Content) -> BuiltInMatch? {
        guard let match, DiskImage.isAmbiguous(match.mime) else { return match }
        if DiskImage.hasTrailer(&content) {
            return BuiltInMatch(mime: "application/x-apple-diskimage", carrier: .disk, fixed: 8, isExact: true)
        }
        guard match.mime == "application/x-raw-disk-image" else { return match }
        // A disc that computers start from as from a disk.
        if let disc = OpticalDisc.mime(&content) {
            return BuiltInMatch(mime: disc.0, carrier: .disk, fixed: match.fixed + disc.1)
        }
        return BuiltInMatch(mime: match.mime, carrier: .disk, fixed: match.fixed)
    }

    /// A structure that fits. Text fits into some of them: `x^2` begins as packed data, and `The wide road` as a movie.
    private func structure(_ content: inout Content) -> BuiltInMatch? {
        guard let match = anyStructure(&content) else { return nil }
        let isLegible = FormatTable.builtIn.format(mime: match.mime).map(mayBeText) ?? false
        return isLegible || !TextEncoding.isTextThroughout(content.head) ? match : nil
    }

    private func anyStructure(_ content: inout Content) -> BuiltInMatch? {
        if let mime = MediaBrands.mime(content.head) {
            let isGeneral = mime == "video/mp4"
            return BuiltInMatch(
                mime: mime, carrier: isGeneral ? .media : nil, fixed: 8,
                isExact: !isGeneral || MediaBrands.isPlain(content.head))
        }
        return Structures.match(&content).map { BuiltInMatch(mime: $0.mime, carrier: nil, fixed: $0.fixed) }
    }

    private func found(_ match: BuiltInMatch) -> FoundKind {
        let kind = kind(mime: match.mime) ?? kind(unlisted: match.mime)
        return FoundKind(kind: kind, carrier: match.carrier, fixed: match.fixed)
    }

    private func found(_ rule: MIMEMagic.Match) -> FoundKind {
        let kind = kind(number: rule.mime, fileExtension: nil)
        return FoundKind(
            kind: kind, carrier: kind.format.flatMap { FormatTable.builtIn[$0].isCarrier }, fixed: rule.fixed)
    }

    /// A MIME type that the database does not know: a document names it itself, such as in an entry `mimetype`, or
    /// `mime.types` does.
    func kind(unlisted mime: String, fileExtension: String? = nil) -> Kind {
        if let number = database.relations.known(mime.utf8) { return kind(number: number, fileExtension: nil) }
        let type =
            UTType.declared(mimeType: mime.utf8.span)
            ?? DynamicType.make(
                fileExtension: fileExtension, mime: mime, under: DynamicType.supertypes(ofMIME: mime))
        return Kind(type: type, mime: nil, spelling: mime, format: nil)
    }

    /// The more specific of both; where they have nothing to do with each other, the built-in one unless it is weak.
    private func join(_ match: BuiltInMatch, _ rule: MIMEMagic.Match?) -> FoundKind {
        guard let rule, prefers(rule, to: match) else { return found(match) }
        return found(rule)
    }

    /// Returns whether the database takes an archive for a document of Pages by the name of its first part, which
    /// feeds have as well: the part was read, and does not belong to Pages.
    private func isFeed(_ rule: MIMEMagic.Match, _ match: BuiltInMatch) -> Bool {
        match.carrier == .zip && database.relations.text(rule.mime) == "application/vnd.apple.pages"
    }

    private func prefers(_ rule: MIMEMagic.Match, to match: BuiltInMatch) -> Bool {
        guard !match.isExact, !isFeed(rule, match), let own = database.relations.known(match.mime.utf8) else {
            return false
        }
        if own == rule.mime || isSubclass(own, of: rule.mime) { return false }
        if isSubclass(rule.mime, of: own) { return true }
        return match.fixed < 4 && rule.fixed > match.fixed
    }
}
