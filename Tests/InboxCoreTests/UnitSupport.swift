import InboxLinux
import Testing

// One by one: the tests' own `BytePath` and `JSONValue` are others than those that are tested here.
import class InboxTestSupport.TemporaryFolder
import struct InboxTestSupport.SeededRandom

@testable import InboxCore

typealias UnitFolder = TemporaryFolder
typealias UnitRandom = SeededRandom

/// A name that the test knows to be one.
func aName(_ text: String) -> FileName {
    guard let name = FileName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

/// Why the call failed; nil where it did not.
func failureOf(_ body: () throws -> Void) -> Errno? {
    do {
        try body()
        return nil
    } catch let error as SyscallError {
        return error.errno
    } catch {
        Issue.record(error)
        return nil
    }
}

extension ArrivalID {
    /// A number for tests of what only hands it through.
    static func unit(_ number: UInt64) -> ArrivalID { ArrivalID(number: number) }
}
