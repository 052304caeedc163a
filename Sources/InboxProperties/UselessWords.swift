import InboxLinux

/// Titles and authors that programs fill in where people did not, which say nothing.
enum UselessWords {
    private static let titles: Set = [
        "untitled", "unbenannt", "ohne titel", "sans titre", "sin título", "sin titulo", "senza titolo", "sem título",
        "naamloos", "namnlös", "bez tytułu", "без названия", "無題", "无标题", "no title", "title", "titel", "titre",
        "título", "titolo", "document", "dokument", "untitled document", "unbenanntes dokument", "new document",
        "powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint", "presentación de powerpoint",
        "presentazione standard di powerpoint", "presentation", "slide 1", "folie 1", "unknown", "none", "(null)",
        "null", "scan", "scanned document", "print", "blank page", "untitled-1", "about:blank", "unknown title",
    ]
    private static let starts = [
        "microsoft word - ", "microsoft powerpoint - ", "microsoft excel - ", "microsoft visio - ",
        "microsoft publisher - ", "microsoft outlook - ", "printed by ", "file:///", "untitled - ",
    ]
    /// Words that a number follows: `Document1`, `Unbenannt 1`.
    private static let counted = [
        "document", "dokument", "untitled", "unbenannt", "sans titre", "presentation", "präsentation", "book", "mappe",
        "classeur", "untitled-", "unbenannt-", "track", "titel", "spur", "scan", "doc", "img_", "dsc_", "page",
    ]
    private static let endings: Set = [
        "doc", "docx", "docm", "dot", "dotx", "odt", "ott", "rtf", "txt", "text", "pdf", "ps", "eps", "ai", "indd",
        "qxd",
        "qxp", "pmd", "p65", "fm", "xls", "xlsx", "xlsm", "xlsb", "csv", "ods", "ppt", "pptx", "pps", "ppsx", "odp",
        "odg",
        "pub", "vsd", "vsdx", "wpd", "wps", "tex", "dvi", "ltx", "md", "htm", "html", "xhtml", "xml", "jpg", "jpeg",
        "png",
        "tif", "tiff", "gif", "bmp", "psd", "svg", "cdr", "dwg", "dxf", "mp3", "m4a", "wav", "flac", "ogg", "mp4",
        "mov",
        "avi", "mkv", "epub", "mobi", "pages", "numbers", "key", "sxw", "lwp", "sdw", "msg", "eml", "p7m", "cgi", "asp",
        "aspx", "php", "jsp",
    ]
    private static let authors: Set = [
        "unknown", "unbekannt", "inconnu", "desconocido", "sconosciuto", "anonymous", "(anonymous)", "anonym", "author",
        "autor", "auteur", "autore", "user", "benutzer", "utilisateur", "usuario", "admin", "administrator", "root",
        "owner", "besitzer", "untitled", "none", "(null)", "null", "unspecified", "(unspecified)", "n/a", "na",
        "default",
        "microsoft office user", "microsoft office-benutzer", "unknown artist", "unknown author",
    ]

    /// Returns whether a title says nothing: a program's own word for none, or the name of a file.
    static func isTitle(_ title: String, of name: FileName?) -> Bool {
        let lowered = title.lowercased()
        guard lowered.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return true }
        if titles.contains(lowered) || starts.contains(where: lowered.hasPrefix) { return true }
        if name.map({ String(decoding: $0.bytes, as: UTF8.self).lowercased() == lowered }) == true { return true }
        for word in counted where lowered.hasPrefix(word) {
            let rest = lowered.dropFirst(word.count).drop { $0 == " " }
            if !rest.isEmpty, rest.allSatisfy(\.isNumber) { return true }
        }
        return isFileName(lowered)
    }

    /// Returns whether a text is rather a file's name: it ends like one of a document.
    private static func isFileName(_ text: String) -> Bool {
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex, text[text.index(before: dot)] != " " else {
            return false
        }
        // A colon is in no file's name, but after the letter of a drive.
        if let colon = text.firstIndex(of: ":"), text.distance(from: text.startIndex, to: colon) != 1 { return false }
        return endings.contains(String(text[text.index(after: dot)...]))
    }

    /// Returns whether the name of an author is a program's own word for nobody.
    static func isAuthor(_ author: String) -> Bool {
        let lowered = author.lowercased()
        guard lowered.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return true }
        return authors.contains(lowered)
    }
}
