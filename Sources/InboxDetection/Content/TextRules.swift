/// The format of a text by its first lines.
enum TextRules {
    /// The format of a text, given without a byte order mark.
    /// - Parameter hasSignature: whether it begins with one of the fixed signatures, where that is known.
    static func finding(_ text: Bytes, isWhole: Bool, hasSignature: Bool?) -> TextFinding {
        let (body, start) = body(of: text)
        guard !body.isEmpty else { return .plain }
        switch body[0] {
        case UInt8(ascii: "<"):
            if let markup = Markup.finding(body) { return markup }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let object = JSONText.finding(body, isWhole: isWhole) { return object }
        case UInt8(ascii: "#"):
            if let script = Shebang.mime(body) { return .sure(script, nil, fixed: 4) }
        case UInt8(ascii: "-"):
            if let armour = Armour.finding(body) { return armour }
        default: break
        }
        // What was compared without blanks before it need not be compared again.
        if start > 0 || hasSignature != false, let match = FormatTable.builtIn.signatures.match(body), match.fixed >= 4
        {
            let format = FormatTable.builtIn[match.format]
            if format.isText { return .sure(format.mime, nil, fixed: match.fixed) }
        }
        if start == 0, LineRules.isCacheManifest(body) { return .sure("text/cache-manifest", nil, fixed: 14) }
        if let line = LineRules.finding(body) { return line }
        return MailText.finding(body) ?? .plain
    }

    /// Returns what a text that the rules above leave plain looks like: settings or a table. The language of a program is
    /// not guessed at, which words of prose resemble too easily.
    static func guess(_ text: Bytes, isWhole: Bool) -> TextFinding {
        let body = body(of: text).text
        // After an escape sequence letters are signs of another script: nothing that the rules know.
        guard !body.isEmpty, body.find("\u{1B}$") == nil else { return .plain }
        if SettingsText.isTOML(body, isWhole: isWhole) { return .guess("application/toml") }
        if SettingsText.isYAML(body, isWhole: isWhole) { return .guess("application/x-yaml") }
        return TableText.guess(body, isWhole: isWhole).map { .guess($0) } ?? .plain
    }

    /// The MIME types that a guess may have.
    static var guesses: [String] { ["application/toml", "application/x-yaml"] + TableText.mimes }

    /// The text after the blanks at its beginning, and how many these are.
    private static func body(of text: Bytes) -> (text: Bytes, start: Int) {
        var start = 0
        while start < text.count, ASCII.isSpace(text[start]) { start += 1 }
        return (text.from(start), start)
    }
}

/// Scripts that name their interpreter in the first line.
enum Shebang {
    static func mime(_ text: Bytes) -> String? {
        guard text.has("#!") else { return nil }
        let end = text.index(of: 0x0A) ?? text.count
        var words: [Bytes] = []
        var place = 2
        while place < min(end, 256), words.count < 4 {
            while place < end, ASCII.isSpace(text[place]) { place += 1 }
            let start = place
            while place < end, !ASCII.isSpace(text[place]) { place += 1 }
            if place > start { words.append(text[start..<place]) }
        }
        guard var program = words.first.map(lastComponent) else { return nil }
        if program.equals("env") {
            // Options and settings precede the program.
            guard
                let next = words.dropFirst().first(where: { $0[0] != UInt8(ascii: "-") && $0.index(of: 0x3D) == nil })
            else { return nil }
            program = lastComponent(next)
        }
        for (name, mime) in interpreters where program.has(name) && endsName(program, name.utf8CodeUnitCount) {
            return mime
        }
        return nil
    }

    /// A version may follow the name: `python3.11`, `lua5.4`, `ruby2.7`.
    private static func endsName(_ program: Bytes, _ length: Int) -> Bool {
        for index in length..<max(length, program.count) {
            let byte = program[index]
            guard ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") else { return false }
        }
        return true
    }

    private static func lastComponent(_ path: Bytes) -> Bytes {
        var start = 0
        for index in 0..<path.count where path[index] == UInt8(ascii: "/") { start = index + 1 }
        return path.from(start)
    }

    private static let interpreters: [(StaticString, String)] = [
        ("sh", "application/x-shellscript"), ("bash", "application/x-shellscript"),
        ("dash", "application/x-shellscript"), ("ksh", "application/x-shellscript"),
        ("zsh", "application/x-shellscript"), ("fish", "application/x-shellscript"),
        ("ash", "application/x-shellscript"), ("mksh", "application/x-shellscript"),
        ("busybox", "application/x-shellscript"),
        ("csh", "application/x-csh"), ("tcsh", "application/x-csh"),
        ("python3", "text/x-python3"), ("python", "text/x-python"), ("pypy", "text/x-python"),
        ("perl", "application/x-perl"), ("ruby", "application/x-ruby"), ("php", "application/x-php"),
        ("node", "application/javascript"), ("nodejs", "application/javascript"), ("gjs", "application/javascript"),
        ("deno", "application/javascript"), ("bun", "application/javascript"), ("seed", "application/javascript"),
        ("awk", "application/x-awk"), ("gawk", "application/x-awk"), ("mawk", "application/x-awk"),
        ("nawk", "application/x-awk"), ("lua", "text/x-lua"), ("luajit", "text/x-lua"),
        ("tclsh", "text/x-tcl"), ("wish", "text/x-tcl"), ("expect", "text/x-tcl"),
        ("make", "text/x-makefile"), ("runhaskell", "text/x-haskell"), ("escript", "text/x-erlang"),
        ("groovy", "text/x-groovy"), ("scala", "text/x-scala"), ("swift", "text/x-swift"), ("qml", "text/x-qml"),
        ("guile", "text/x-scheme"), ("sbcl", "text/x-common-lisp"), ("ros", "text/x-common-lisp"),
        ("pwsh", "application/x-powershell"), ("elixir", "text/x-elixir"), ("julia", "text/x-julia"),
        ("ocaml", "text/x-ocaml"), ("crystal", "text/x-crystal"), ("Rscript", "text/x-r"),
    ]
}

/// PEM (RFC 7468) and OpenPGP's armour (RFC 9580).
enum Armour {
    static func finding(_ text: Bytes) -> TextFinding? {
        for (label, mime) in labels where text.has(label) {
            return .sure(mime, nil, fixed: label.utf8CodeUnitCount)
        }
        return nil
    }

    private static let labels: [(StaticString, String)] = [
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----", "application/pgp-keys"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "application/pgp-keys"),
        ("-----BEGIN PGP MESSAGE-----", "application/pgp-encrypted"),
        ("-----BEGIN PGP SIGNATURE-----", "application/pgp-signature"),
        ("-----BEGIN PGP SIGNED MESSAGE-----", "application/pgp-signature"),
        ("-----BEGIN AGE ENCRYPTED FILE-----", "application/vnd.age"),
        ("-----BEGIN CERTIFICATE REQUEST-----", "application/pkcs10"),
        ("-----BEGIN NEW CERTIFICATE REQUEST-----", "application/pkcs10"),
        ("-----BEGIN CERTIFICATE-----", "application/pkix-cert"),
        ("-----BEGIN X509 CERTIFICATE-----", "application/pkix-cert"),
        ("-----BEGIN TRUSTED CERTIFICATE-----", "application/x-x509-ca-cert"),
        ("-----BEGIN CA CERTIFICATE-----", "application/x-x509-ca-cert"),
        ("-----BEGIN X509 CRL-----", "application/pkix-crl"),
        ("-----BEGIN PKCS7-----", "application/x-pkcs7-certificates"),
        ("-----BEGIN CMS-----", "application/pkcs7-mime"),
        ("-----BEGIN PRIVATE KEY-----", "application/pkcs8"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----", "application/pkcs8-encrypted"),
        ("-----BEGIN RSA PRIVATE KEY-----", "application/x-pem-key"),
        ("-----BEGIN EC PRIVATE KEY-----", "application/x-pem-key"),
        ("-----BEGIN DSA PRIVATE KEY-----", "application/x-pem-key"),
        ("-----BEGIN PUBLIC KEY-----", "application/x-pem-key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "application/x-pem-key"),
        // OpenSSL writes the parameters of a key before the key.
        ("-----BEGIN EC PARAMETERS-----", "application/x-pem-key"),
        ("-----BEGIN DH PARAMETERS-----", "application/x-pem-key"),
        ("-----BEGIN X9.42 DH PARAMETERS-----", "application/x-pem-key"),
    ]
}
