/// The capabilities of standard output.
struct Screen: Hashable {
    /// The emphasis of a piece of text.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// Standard output is a terminal.
    let isTerminal: Bool
    /// Styles are shown.
    let isColoured: Bool
    /// Columns, where there is a terminal that reports them.
    private(set) var width: Int?
    /// Lines, where there is a terminal that reports them.
    private(set) var height: Int?

    /// - Parameters:
    ///   - size: columns and lines; nil where standard output is no terminal.
    ///   - noColor: `NO_COLOR` of the environment; set and not empty it forbids colour (https://no-color.org).
    ///   - term: `TERM` of the environment; a dumb terminal has no colour.
    init(size: (width: Int, height: Int)?, noColor: [UInt8]?, term: [UInt8]?) {
        isTerminal = size != nil
        isColoured = size != nil && noColor?.isEmpty != false && term != nil && term != Array("dumb".utf8)
        width = size.flatMap { $0.width > 0 ? $0.width : nil }
        height = size.flatMap { $0.height > 0 ? $0.height : nil }
    }

    /// The same with another size. What is no terminal does not become one.
    func resized(to size: (width: Int, height: Int)?) -> Screen {
        guard isTerminal, let size else { return self }
        var screen = self
        screen.width = size.width > 0 ? size.width : nil
        screen.height = size.height > 0 ? size.height : nil
        return screen
    }

    /// The text in a style, where styles show.
    func styled(_ text: String, _ style: Style?) -> String {
        guard isColoured, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
