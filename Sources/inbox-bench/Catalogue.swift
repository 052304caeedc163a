/// Every subject.
enum Catalogue {
    /// In the order in which they run. `types` is first because it measures a cold start.
    static let subjects: [any Subject] = [
        TypesSubject(), RoutingSubject(), DetectionSubject(), CommandSubject(), LatencySubject(), BurstSubject(),
        ConflictsSubject(), FoldersSubject(), IdleSubject(), MemorySubject(), BacklogSubject(), GrowthSubject(),
        AnswersSubject(), CopySubject(), ChecksSubject(),
    ]
}
