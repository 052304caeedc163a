import InboxCore
import Glibc
import InboxLinux

/// Writes to a descriptor that the process was started with.
func standardSink(_ number: Int32) -> ([UInt8]) throws(SyscallError) -> Void {
    let stream = StandardStream(number)
    return { bytes throws(SyscallError) in try stream.descriptor.write(bytes) }
}

/// Keeps a standard descriptor for the program's life.
final class StandardStream {
    let descriptor: FileDescriptor

    init(_ number: Int32) {
        descriptor = FileDescriptor(owning: number)
    }
}

let surroundings = Surroundings.ofThisProcess()
let screen = Screen(
    size: Surroundings.sizeOfStandardOutput(), noColor: surroundings.variable("NO_COLOR"),
    term: surroundings.variable("TERM"))
let output = Output(screen: screen, sink: standardSink(STDOUT_FILENO))

do throws(CommandFailure) {
    let status = try Command.run(Surroundings.words(), surroundings: surroundings, output: output)
    try output.flush()
    exit(status.rawValue)
} catch {
    // What was found out before the failure is still of use; a failure to write it could only be told twice.
    let errors = Output(screen: screen, sink: standardSink(STDERR_FILENO))
    do throws(CommandFailure) {
        try output.flush()
        try errors.write("inboxctl: \(error.message)\n")
        try errors.flush()
    } catch {
        // There is nobody left to tell.
    }
    exit(error.status.rawValue)
}
