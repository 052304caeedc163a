import InboxLinux

extension MIMEDatabasePlaces {
    /// The places that this process's environment names.
    package static var ofThisProcess: MIMEDatabasePlaces {
        MIMEDatabasePlaces(
            home: Process.environment("HOME"), dataHome: Process.environment("XDG_DATA_HOME"),
            dataDirs: Process.environment("XDG_DATA_DIRS"))
    }
}
