// swift-tools-version: 6.2

import PackageDescription

/// For rooms in which no document's way spends its time, or which are as fast so, as `inbox-bench burst backlog` shows: the
/// size of the programs counts, which has a limit.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// For rooms in which tests spend their time, since they start some ten thousand daemons: with `INBOX_OPTIMIZED` a debug
/// build is optimized there, and keeps its assertions.
let optimized = [
    "-O", "-assert-config", "Debug", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2",
    "-no-emit-module-separately-wmo",
]
let hot: [SwiftSetting] =
    Context.environment["INBOX_OPTIMIZED"] == nil ? [] : [.unsafeFlags(optimized, .when(configuration: .debug))]

/// And the tests are compiled a module at a time and by one job: jobs for parts of one, and one for its interface, would
/// each expand the same macros.
let whole: [SwiftSetting] =
    Context.environment["INBOX_OPTIMIZED"] == nil
    ? []
    : [
        .unsafeFlags([
            "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
        ])
    ]

let package = Package(
    name: "inboxd",
    products: [
        .executable(name: "inboxd", targets: ["inboxd"]),
        .executable(name: "inboxctl", targets: ["inboxctl"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    ],
    targets: [
        .target(name: "CInboxLinux"),
        .target(name: "CUniformTypeData", exclude: ["declarations.txt", "formats", "images"]),
        .target(name: "InboxLinux", dependencies: ["CInboxLinux"], swiftSettings: hot),
        .target(name: "UniformTypeIdentifiers", dependencies: ["CUniformTypeData"], exclude: ["README.md"]),
        .target(
            name: "InboxDetection",
            dependencies: ["CUniformTypeData", "UniformTypeIdentifiers", "InboxLinux"], swiftSettings: hot),
        .target(
            name: "InboxProperties", dependencies: ["InboxDetection", "UniformTypeIdentifiers", "InboxLinux"],
            swiftSettings: small + hot),
        .target(
            name: "InboxConfiguration", dependencies: ["UniformTypeIdentifiers", "InboxLinux"],
            swiftSettings: hot),
        .target(
            name: "InboxFiling",
            dependencies: [
                "InboxConfiguration", "InboxProperties", "InboxDetection", "UniformTypeIdentifiers", "InboxLinux",
            ], swiftSettings: hot),
        .target(
            name: "InboxCore",
            dependencies: [
                "InboxFiling", "InboxVarlink", "InboxConfiguration", "InboxProperties", "InboxDetection",
                "UniformTypeIdentifiers",
                "InboxLinux",
            ], swiftSettings: hot),
        .target(
            name: "InboxVarlink", dependencies: ["InboxLinux"], exclude: ["io.inboxd.Inbox.7"],
            resources: [.embedInCode("io.inboxd.Inbox.varlink")], swiftSettings: small),
        .target(
            name: "InboxDaemon",
            dependencies: [
                "InboxCore", "InboxFiling", "InboxConfiguration", "InboxProperties", "InboxDetection", "InboxVarlink",
                "UniformTypeIdentifiers", "InboxLinux",
            ]),
        .executableTarget(
            name: "inboxd",
            dependencies: [
                "InboxDaemon", "InboxCore", "InboxFiling", "InboxConfiguration", "InboxDetection", "InboxVarlink",
                "UniformTypeIdentifiers", "InboxLinux",
            ],
            exclude: ["inboxd.8", "inboxd.conf.5"]),
        .executableTarget(
            name: "inboxctl",
            dependencies: [
                "InboxFiling", "InboxConfiguration", "InboxProperties", "InboxDetection", "InboxVarlink",
                "UniformTypeIdentifiers", "InboxLinux",
            ],
            exclude: ["inboxctl.1"]),
        .executableTarget(
            name: "inbox-bench",
            // The programs are what it measures: so that they are built with it.
            dependencies: [
                "inboxd", "inboxctl", "InboxFiling", "InboxConfiguration", "InboxDetection", "InboxVarlink",
                "UniformTypeIdentifiers", "InboxLinux",
            ],
            exclude: ["COSTS.md"]),
        .testTarget(name: "InboxLinuxTests", dependencies: ["InboxTestSupport", "InboxLinux"]),
        .testTarget(
            name: "UniformTypeIdentifiersTests",
            dependencies: ["CUniformTypeData", "InboxTestSupport", "UniformTypeIdentifiers"],
            exclude: ["Expected"]),
        .testTarget(
            name: "InboxDetectionTests",
            dependencies: ["InboxTestSupport", "InboxDetection", "UniformTypeIdentifiers", "InboxLinux"],
            exclude: ["Expected"]),
        .testTarget(
            name: "InboxPropertiesTests",
            dependencies: [
                "InboxTestSupport", "InboxProperties", "InboxDetection", "UniformTypeIdentifiers", "InboxLinux",
            ]),
        .testTarget(
            name: "InboxConfigurationTests",
            dependencies: [
                "InboxTestSupport", "InboxConfiguration", "InboxFiling", "InboxDetection", "UniformTypeIdentifiers",
                "InboxLinux",
            ]),
        .testTarget(
            name: "InboxFilingTests",
            dependencies: [
                "InboxTestSupport", "InboxFiling", "InboxConfiguration", "InboxDetection", "UniformTypeIdentifiers",
                "InboxLinux",
            ]),
        .testTarget(
            name: "InboxCoreTests",
            dependencies: [
                "CInboxLinux", "InboxTestSupport", "InboxCore", "InboxFiling", "InboxConfiguration", "InboxDetection",
                "UniformTypeIdentifiers", "InboxVarlink", "InboxLinux",
            ]),
        .testTarget(name: "InboxVarlinkTests", dependencies: ["InboxTestSupport", "InboxVarlink", "InboxLinux"]),
        .testTarget(
            name: "InboxDaemonTests",
            dependencies: [
                "InboxTestSupport", "InboxDaemon", "InboxCore", "InboxConfiguration", "InboxFiling", "InboxVarlink",
                "InboxLinux",
            ]),
        .testTarget(
            name: "InboxControlTests",
            dependencies: [
                "InboxTestSupport", "inboxctl", "InboxVarlink", "InboxConfiguration", "InboxFiling", "InboxLinux",
            ]),
        .target(name: "InboxTestSupport", dependencies: ["InboxLinux"], path: "Tests/Support", swiftSettings: hot),
        .testTarget(name: "InboxScenarioTests", dependencies: ["InboxTestSupport", "inboxd", "inboxctl"]),
        .testTarget(
            name: "InboxFaultTests",
            dependencies: [
                "InboxTestSupport", "inboxd", "inboxctl", "InboxCore", "InboxFiling", "InboxConfiguration",
                "InboxLinux",
            ]),
        .testTarget(
            name: "InboxMountTests", dependencies: ["InboxTestSupport", "inboxd", "inboxctl", "InboxLinux"]),
        .testTarget(
            name: "InboxBenchTests",
            dependencies: ["InboxTestSupport", "inbox-bench", "InboxConfiguration", "InboxLinux"]),
        .testTarget(name: "InboxHouseTests"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)

for target in package.targets where target.type == .test { target.swiftSettings = whole }
