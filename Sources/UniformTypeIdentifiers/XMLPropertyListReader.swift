/// Reads Apple's XML property lists (PropertyList-1.0.dtd), without recursion: depth costs no stack.
struct XMLPropertyListReader {
    /// A container that is being filled.
    private enum Container {
        case array([PropertyList])
        case dictionary([String: PropertyList], key: String?)
    }

    private var scanner: XMLScanner
    private var containers: [Container] = []
    private var valuesLeft = PropertyList.maximumCount
    private var result: PropertyList?
    /// The line of each dictionary in an array of the top one, by `KEY[INDEX]`.
    private(set) var entryLines: [String: Int] = [:]

    init(_ bytes: [UInt8]) {
        scanner = XMLScanner(bytes)
    }

    /// Reads the whole document.
    mutating func readDocument() throws(PropertyListError) -> PropertyList {
        var isInside = false
        while let token = try scanner.next() {
            switch token {
            case .start("plist", false) where !isInside && result == nil: isInside = true
            case .end("plist") where isInside && containers.isEmpty:
                guard let result else { throw scanner.error("the property list is empty") }
                return result
            case .text(let text):
                guard text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
                    throw scanner.error("there is text outside a value")
                }
            case .start(let name, let isEmpty):
                guard isInside else {
                    throw scanner.error("it is no property list: <\(name)> is where <plist> must be")
                }
                try open(name, isEmpty: isEmpty)
            case .end(let name): try close(name)
            }
        }
        throw scanner.error(isInside ? "the property list is cut off" : "it is no property list")
    }

    private mutating func open(_ name: String, isEmpty: Bool) throws(PropertyListError) {
        switch name {
        case "dict":
            noteEntry()
            try push(.dictionary([:], key: nil), isEmpty: isEmpty)
        case "array": try push(.array([]), isEmpty: isEmpty)
        case "key":
            guard case .dictionary(let entries, nil)? = containers.last else {
                throw scanner.error("a <key> is where no key can be")
            }
            containers[containers.count - 1] = .dictionary(entries, key: isEmpty ? "" : try content(of: name))
        case "string": try add(.string(isEmpty ? "" : try content(of: name)))
        case "true", "false":
            if !isEmpty { _ = try content(of: name) }
            try add(.boolean(name == "true"))
        case "integer":
            let text = isEmpty ? "" : try content(of: name)
            try add(Self.integer(text).map(PropertyList.integer) ?? .other)
        case "real", "date", "data":
            if !isEmpty { _ = try content(of: name) }
            try add(.other)
        default: throw scanner.error("<\(name)> is no element of a property list")
        }
    }

    /// A dictionary begins, which may be an entry.
    private mutating func noteEntry() {
        guard containers.count == 2, case .dictionary(_, let key?) = containers[0],
            case .array(let elements) = containers[1]
        else { return }
        entryLines["\(key)[\(elements.count)]"] = scanner.line
    }

    private mutating func push(_ container: Container, isEmpty: Bool) throws(PropertyListError) {
        guard containers.count < PropertyList.maximumDepth else {
            throw scanner.error("the property list nests deeper than \(PropertyList.maximumDepth) levels")
        }
        containers.append(container)
        if isEmpty { try finish() }
    }

    private mutating func close(_ name: String) throws(PropertyListError) {
        switch (name, containers.last) {
        case ("array", .array?): try finish()
        case ("dict", .dictionary(_, nil)?): try finish()
        case ("dict", .dictionary(_, let key?)?): throw scanner.error("the key \(key.debugDescription) has no value")
        default: throw scanner.error("</\(name)> ends what did not begin")
        }
    }

    /// Takes the innermost container as a value of the one around it.
    private mutating func finish() throws(PropertyListError) {
        switch containers.popLast() {
        case .array(let elements)?: try add(.array(elements))
        case .dictionary(let entries, _)?: try add(.dictionary(entries))
        case nil: break
        }
    }

    private mutating func add(_ value: PropertyList) throws(PropertyListError) {
        guard valuesLeft > 0 else {
            throw scanner.error("the property list has more than \(PropertyList.maximumCount) values")
        }
        valuesLeft -= 1
        // The container is taken out and put back, so that growing it copies nothing.
        switch containers.popLast() {
        case .array(var elements)?:
            elements.append(value)
            containers.append(.array(elements))
        case .dictionary(var entries, let key?)?:
            entries[key] = value
            containers.append(.dictionary(entries, key: nil))
        case .dictionary(_, nil)?: throw scanner.error("a value in a dictionary has no key")
        case nil:
            guard result == nil else { throw scanner.error("there is more than one value") }
            result = value
        }
    }

    /// The text up to the end tag of an element that holds nothing else.
    private mutating func content(of name: String) throws(PropertyListError) -> String {
        var text: [UInt8] = []
        while let token = try scanner.next() {
            switch token {
            case .text(let piece): text += piece
            case .end(name):
                guard let valid = String(validating: text, as: UTF8.self) else {
                    throw scanner.error("the text in <\(name)> is not UTF-8")
                }
                return valid
            default: throw scanner.error("a tag is inside <\(name)>")
            }
        }
        throw scanner.error("<\(name)> does not end")
    }

    /// Decimal, or hexadecimal after `0x`, with blanks around it.
    private static func integer(_ text: String) -> Int? {
        let digits = text.filter { !$0.isWhitespace }
        return digits.hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
    }
}
