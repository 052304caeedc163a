import InboxCore
import InboxLinux

let surroundings = Surroundings.ofThisProcess()
let screen = Screen(
    size: Terminal.sizeOnStandardOutput(), noColor: surroundings.variable("NO_COLOR"),
    term: surroundings.variable("TERM"))
let output = Output(screen: screen) { bytes throws(SyscallError) in
    try FileDescriptor.standardOutput().write(bytes)
}

var status: ExitStatus
do throws(CommandFailure) {
    status = try Command.run(Array(Process.arguments.dropFirst()), surroundings: surroundings, output: output)
    try output.flush()
} catch {
    status = error.status
    let failure = error
    do throws(CommandFailure) {
        // What was found out before the failure is still of use.
        try output.flush()
    } catch {
        // It is the failure that is told below, or another one of the same output.
    }
    do throws(SyscallError) {
        try FileDescriptor.standardError().write(Array("inboxctl: \(failure.message)\n".utf8))
    } catch {
        // There is nobody left to tell: the exit status says it.
    }
}
Process.exit(status.rawValue)
