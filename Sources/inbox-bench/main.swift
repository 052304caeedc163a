// The benchmark: each subject is measured beside its floor and its peers, in the same run on the same machine. Build it
// with `-c release`, and statically as the programs are delivered: `swift build -c release --static-swift-stdlib`.

import InboxConfiguration
import InboxLinux

// A part of a benchmark that has to be a process of its own: this program again.
if let role = Role(Process.arguments.dropFirst()) { Process.exit(role.play()) }

let status: ExitStatus
do throws(CommandFailure) {
    let options = try Options(Process.arguments.dropFirst(), subjects: Catalogue.subjects)
    status = try Program(options: options).run()
} catch {
    complain(error.message)
    status = error.status
}
Process.exit(status.rawValue)
