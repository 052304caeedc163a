/// What a service tells of itself in `org.varlink.service.GetInfo`.
public struct ServiceInformation: Hashable, Sendable {
    /// Who made it.
    public var vendor: String
    /// What it is.
    public var product: String
    /// Which version.
    public var version: String
    /// Where to read about it.
    public var url: String

    /// Information of these words.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }

    /// This program, daemon and control program alike.
    public static let inboxd = ServiceInformation(
        vendor: "inboxd", product: "inboxd", version: "0.1.0", url: "man:inboxd(8)")
}
