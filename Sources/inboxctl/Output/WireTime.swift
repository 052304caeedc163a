import InboxLinux

/// Reads the times of the wire: RFC 3339 in UTC, such as `2026-11-20T22:51:07.042Z`.
///
/// - Returns: Seconds since 1970; nil where the text is no such time.
func secondsOfWireTime(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] where [bytes[index]] != Array(mark.utf8)
    {
        return nil
    }
    func number(_ range: Range<Int>) -> Int64? {
        bytes[range].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month), let day = number(8..<10),
        let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    // Years are counted from March, so that the leap day is the last of its year.
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return days * 86400 + hour * 3600 + minute * 60 + second
}

/// How long ago a time of the wire was, in words; the text itself where it cannot be read.
func ageInWords(_ time: String, now: Timestamp) -> String {
    secondsOfWireTime(time).map { spanInWords(seconds: now.seconds - $0) } ?? printableWords(time)
}

/// How soon a time of the wire is, in words.
func waitInWords(_ time: String, now: Timestamp) -> String {
    guard let seconds = secondsOfWireTime(time) else { return printableWords(time) }
    return seconds <= now.seconds ? "now" : "in " + spanInWords(seconds: seconds - now.seconds)
}
