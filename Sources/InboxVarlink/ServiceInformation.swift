/// The description of a service in `org.varlink.service.GetInfo`.
package struct ServiceInformation: Hashable, Sendable {
    /// Who made it.
    package var vendor: String
    /// The name of the product.
    package var product: String
    /// Which version.
    package var version: String
    /// Where to read about it.
    package var url: String

    /// Information of these words.
    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }

    /// This program, daemon and control program alike.
    package static let inboxd = ServiceInformation(
        vendor: "inboxd", product: "inboxd", version: "0.1.0", url: "man:inboxd(8)")
}
