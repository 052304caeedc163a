import InboxConfiguration
import InboxCore
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// The reason why the daemon could not begin, or had to end.
package enum DaemonError: Error {
    /// The work cannot begin.
    case start(StartFailure)
    /// The control socket is not available.
    case socket(ControlSocketError)
    /// The interface's own text is malformed: a defect of the build.
    case interface(InterfaceSyntaxError)
    /// The own types of the configuration cannot be declared.
    case types(UTTypeDeclarationError)
    /// The folders of the configuration contradict each other.
    case configuration([ConfigurationProblem])
    /// This file of proc(5) cannot be read.
    case processes(BytePath, SyscallError)
    /// The kernel denies something that the loop cannot do without.
    case kernel(SyscallError)
}
