import InboxConfiguration
import InboxLinux

FaultPlanSetting.apply()
let status: ExitStatus
do throws(CommandFailure) {
    status = try Program.run(Process.arguments.dropFirst())
} catch {
    StandardError.complain("inboxd: \(error.message)\n")
    status = error.status
}
Process.exit(status.rawValue)
