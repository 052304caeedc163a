import InboxConfiguration
import InboxLinux

Process.keepStandardNumbers()
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
        // It is the failure that is reported below, or another one of the same output.
    }
    surroundings.complain("inboxctl: \(failure.message)\n")
}
Process.exit(status.rawValue)
