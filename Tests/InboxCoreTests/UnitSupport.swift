import InboxLinux
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

extension ArrivalID {
    /// A number for tests of what only hands it through.
    static func unit(_ number: UInt64) -> ArrivalID { ArrivalID(number: number) }
}
