// The benchmark: `inbox-bench [SUBJECT ...]` measures each subject beside its own floor, in the same run on the same
// machine, and prints value, floor and ratio. Exits with 1 where a value exceeds its limit. Build it with `-c release`.

import Glibc

/// Every subject, in the order in which they run. `types` is first because it measures a cold start.
let subjects: [any Subject] = [TypesSubject(), DetectionSubject(), FilingSubject()]

let wanted = CommandLine.arguments.dropFirst()
if let unknown = wanted.first(where: { name in !subjects.contains { $0.name == name } }) {
    print("inbox-bench: unknown subject \(unknown); there are: \(subjects.map(\.name).joined(separator: " "))")
    exit(64)
}
var isWithinLimits = true
for subject in subjects where wanted.isEmpty || wanted.contains(subject.name) {
    for measurement in subject.measure() {
        print("\(subject.name): \(measurement)")
        if measurement.isOverLimit { isWithinLimits = false }
    }
}
exit(isWithinLimits ? 0 : 1)
