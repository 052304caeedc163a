/// Certificates and the like in their binary form: DER (ITU-T X.690), recognised by the first few elements.
enum DistinguishedEncoding {
    static func mime(_ head: Bytes) -> (String, Int)? {
        guard let outer = element(head, at: 0), outer.tag == 0x30, outer.data + outer.size >= head.count - 2 else {
            return nil
        }
        guard let first = element(head, at: outer.data), first.size <= outer.size else { return nil }
        switch first.tag {
        case 0x06:
            guard isMessage(head[first.data..<(first.data + first.size)]) else { return nil }
            return message(head, kind: head[first.data + 8], at: first.data + first.size)
        case 0x02: return numbered(head, first)
        case 0x30: return key(head, first) ?? signed(head, first)
        default: return nil
        }
    }

    private struct Element {
        let tag: UInt8
        let data: Int
        let size: Int
    }

    private static func element(_ bytes: Bytes, at place: Int) -> Element? {
        guard let tag = bytes.byte(at: place), let length = bytes.byte(at: place + 1) else { return nil }
        if length < 0x80 { return Element(tag: tag, data: place + 2, size: Int(length)) }
        let width = Int(length & 0x7F)
        guard width <= 4, place + 2 + width <= bytes.count else { return nil }
        var size = 0
        for index in 0..<width { size = size << 8 | Int(bytes[place + 2 + index]) }
        // BER leaves the length open; what follows is all there is.
        return Element(tag: tag, data: place + 2 + width, size: width == 0 ? bytes.count : size)
    }

    /// PKCS #7: an object identifier 1.2.840.113549.1.7.n.
    private static func isMessage(_ name: Bytes) -> Bool {
        name.count == 9 && name[0] == 0x2A && name[1] == 0x86 && name[2] == 0x48 && name[3] == 0x86 && name[4] == 0xF7
            && name[5] == 0x0D && name[6] == 1 && name[7] == 7
    }

    /// Signed data without algorithms of signers carries only certificates; without content it is a signature apart.
    private static func message(_ head: Bytes, kind: UInt8, at place: Int) -> (String, Int)? {
        let mail = ("application/pkcs7-mime", 12)
        guard kind == 2, let wrapper = element(head, at: place), let data = element(head, at: wrapper.data),
            data.tag == 0x30, let version = element(head, at: data.data),
            let algorithms = element(head, at: version.data + version.size), algorithms.tag == 0x31,
            let content = element(head, at: algorithms.data + algorithms.size), content.tag == 0x30
        else { return mail }
        if algorithms.size == 0 { return ("application/x-pkcs7-certificates", 12) }
        guard let name = element(head, at: content.data) else { return mail }
        return name.size + 2 == content.size ? ("application/pkcs7-signature", 12) : mail
    }

    /// PKCS #12 begins with version 3, PKCS #8 with version 0 and an algorithm.
    private static func numbered(_ head: Bytes, _ version: Element) -> (String, Int)? {
        if let mime = number(head, version) { return mime }
        guard version.size == 1, let next = element(head, at: version.data + 1), next.tag == 0x30,
            let inner = element(head, at: next.data), inner.tag == 0x06
        else { return nil }
        switch head[version.data] {
        case 3: return ("application/pkcs12", 6)
        case 0: return ("application/pkcs8", 6)
        default: return nil
        }
    }

    /// Keys by themselves: RSA (PKCS #1) is made of long numbers, one on an elliptic curve (SEC 1) of an octet string.
    private static func number(_ head: Bytes, _ first: Element) -> (String, Int)? {
        guard let next = element(head, at: first.data + first.size) else { return nil }
        if first.size == 1, head[first.data] == 1, next.tag == 0x04, (20...70).contains(next.size) {
            return ("application/x-der-key", 6)
        }
        if first.size == 1, head[first.data] == 0, next.tag == 0x02, next.size >= 32 {
            return ("application/x-der-key", 6)
        }
        // A public key: the modulus, and an exponent of a few bytes.
        if first.size >= 64, next.tag == 0x02, (1...8).contains(next.size) { return ("application/x-der-key", 6) }
        return nil
    }

    /// A key after the name of its algorithm: public in a bit string, or private and encrypted in an octet string.
    private static func key(_ head: Bytes, _ algorithm: Element) -> (String, Int)? {
        guard let name = element(head, at: algorithm.data), name.tag == 0x06, (3...16).contains(name.size),
            let next = element(head, at: algorithm.data + algorithm.size)
        else { return nil }
        if next.tag == 0x03, next.size >= 16 { return ("application/x-der-key", 6) }
        // Encryption by password, PKCS #5 and #12.
        let isPassword = head.has("\u{2A}", at: name.data) && head[name.data + 1] == 0x86 && head[name.data + 6] == 1
        return next.tag == 0x04 && isPassword ? ("application/pkcs8-encrypted", 6) : nil
    }

    /// A certificate or a revocation list: a signed part, then the signature's algorithm.
    private static func signed(_ head: Bytes, _ body: Element) -> (String, Int)? {
        guard let first = element(head, at: body.data) else { return nil }
        // A request: version 0, a name, then a key.
        if first.tag == 0x02, first.size == 1, head[first.data] == 0, let subject = element(head, at: first.data + 1),
            subject.tag == 0x30, let key = element(head, at: subject.data + subject.size), key.tag == 0x30,
            let algorithm = element(head, at: key.data), algorithm.tag == 0x30
        {
            return ("application/pkcs10", 6)
        }
        if first.tag == 0xA0, first.size == 3, head[first.data] == 2 { return ("application/pkix-cert", 6) }
        if first.tag == 0x02 {
            guard let second = element(head, at: first.data + first.size), second.tag == 0x30,
                let algorithm = element(head, at: second.data), algorithm.tag == 0x06,
                let issuer = element(head, at: second.data + second.size), issuer.tag == 0x30,
                let third = element(head, at: issuer.data + issuer.size)
            else { return nil }
            // A time follows a list's issuer; a pair of times follows a certificate's.
            if third.tag == 0x17 || third.tag == 0x18 { return ("application/pkix-crl", 6) }
            return third.tag == 0x30 ? ("application/pkix-cert", 6) : nil
        }
        // A chain of certificates is a sequence of them.
        if first.tag == 0x30, let inner = element(head, at: first.data), inner.tag == 0xA0 || inner.tag == 0x02 {
            return ("application/pkix-pkipath", 6)
        }
        return nil
    }
}
