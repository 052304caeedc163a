import InboxLinux
import InboxVarlink

/// How long ago a time of the wire was, in words; the text itself where it cannot be read.
func ageInWords(_ time: String, now: Timestamp) -> String {
    WireTime.seconds(time).map { spanInWords(seconds: now.seconds - $0) } ?? printableWords(time)
}

/// How soon a time of the wire is, in words.
func waitInWords(_ time: String, now: Timestamp) -> String {
    guard let seconds = WireTime.seconds(time) else { return printableWords(time) }
    return seconds <= now.seconds ? "now" : "in " + spanInWords(seconds: seconds - now.seconds)
}
