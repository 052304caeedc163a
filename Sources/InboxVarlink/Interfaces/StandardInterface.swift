extension Interface {
    /// The definition of `org.varlink.service`, which every Varlink service has.
    static let standardDefinition = """
        # What every Varlink service answers: which interfaces it has, and what they look like.
        interface org.varlink.service

        # Who made the service, which version it is, and the names of its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The definition of one interface in this language.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no interface of this name.
        error InterfaceNotFound (interface: string)

        # The interface has no method of this name; the full name is told.
        error MethodNotFound (method: string)

        # The interface has the method, but this service does not do it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, unknown, of a wrong type or out of range. Where the message itself is malformed the
        # member at fault is named ("message" where it is no JSON object, or too long), and the connection is closed.
        error InvalidParameter (parameter: string)

        # The client may not do this.
        error PermissionDenied ()

        # The method sends several replies, and has to be called with "more".
        error ExpectedMore ()

        """
}
