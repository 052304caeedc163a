import InboxLinux
import InboxVarlink

/// Returns the age, in words, of a time from the wire; the text itself if it cannot be read.
func ageInWords(_ time: String, now: Timestamp) -> String {
    WireTime.seconds(time).map { spanInWords(seconds: now.seconds - $0) } ?? printableWords(time)
}

/// Returns the time, in words, until a time from the wire; the text itself if it cannot be read.
func waitInWords(_ time: String, now: Timestamp) -> String {
    guard let seconds = WireTime.seconds(time) else { return printableWords(time) }
    return seconds <= now.seconds ? "now" : "in " + spanInWords(seconds: seconds - now.seconds)
}
