extension Interface {
    /// The definition of `io.inboxd.Inbox`: section 5 of the contract. The text of `io.inboxd.Inbox.varlink`, in which every
    /// type, member, method and error has a comment above it, because it is what `GetInterfaceDescription` returns.
    static let inboxDefinition = String(decoding: PackageResources.io_inboxd_Inbox_varlink, as: UTF8.self)
}
