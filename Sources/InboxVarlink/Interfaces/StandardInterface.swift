extension Interface {
    /// The definition of `org.varlink.service`, which every Varlink service has.
    static let standardDefinition = """
        # What every Varlink service answers: which interfaces it has, and their definitions.
        interface org.varlink.service

        # Describes the service.
        method GetInfo() -> (
          # who made it
          vendor: string,
          # its name
          product: string,
          # its version
          version: string,
          # where to read about it
          url: string,
          # the names of its interfaces
          interfaces: []string
        )

        # Returns the definition of one interface in this language.
        method GetInterfaceDescription(
          # the name of the interface
          interface: string
        ) -> (
          # its definition
          description: string
        )

        # The service has no such interface.
        error InterfaceNotFound (
          # the name of the interface
          interface: string
        )

        # The interface has no such method.
        error MethodNotFound (
          # the full name of the method
          method: string
        )

        # The interface defines the method, but this service does not implement it.
        error MethodNotImplemented (
          # the full name of the method
          method: string
        )

        # A parameter is missing, unknown, of a wrong type or out of range; or the message itself is malformed, and the
        # connection is closed.
        error InvalidParameter (
          # its name; of a malformed message that of the member at fault, or "message" where it is no JSON object or too
          # long
          parameter: string
        )

        # The client may not call the method.
        error PermissionDenied ()

        # The method sends several replies, and has to be called with "more".
        error ExpectedMore ()

        """
}
