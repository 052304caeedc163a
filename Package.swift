// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "inboxd",
    products: [
        .executable(name: "inboxd", targets: ["inboxd"]),
        .executable(name: "inboxctl", targets: ["inboxctl"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    ],
    targets: [
        .target(name: "CInboxLinux"),
        .target(name: "CUniformTypeData", exclude: ["declarations.txt"]),
        .target(name: "InboxLinux", dependencies: ["CInboxLinux"]),
        .target(name: "UniformTypeIdentifiers", dependencies: ["CUniformTypeData"]),
        .target(name: "InboxDetection", dependencies: ["UniformTypeIdentifiers", "InboxLinux"]),
        .target(name: "InboxCore", dependencies: ["InboxDetection", "UniformTypeIdentifiers", "InboxLinux"]),
        .target(name: "InboxVarlink", dependencies: ["InboxLinux"]),
        .target(
            name: "InboxDaemon",
            dependencies: ["InboxCore", "InboxDetection", "InboxVarlink", "UniformTypeIdentifiers", "InboxLinux"]),
        .executableTarget(
            name: "inboxd",
            dependencies: [
                "InboxDaemon", "InboxCore", "InboxDetection", "InboxVarlink", "UniformTypeIdentifiers", "InboxLinux",
            ],
            exclude: ["inboxd.8", "inboxd.conf.5"]),
        .executableTarget(
            name: "inboxctl",
            dependencies: ["InboxCore", "InboxDetection", "InboxVarlink", "UniformTypeIdentifiers", "InboxLinux"],
            exclude: ["inboxctl.1"]),
        .executableTarget(
            name: "inbox-bench",
            dependencies: ["InboxCore", "InboxDetection", "UniformTypeIdentifiers", "InboxLinux"]),
        .testTarget(name: "InboxLinuxTests", dependencies: ["InboxTestSupport", "InboxLinux"]),
        .testTarget(
            name: "UniformTypeIdentifiersTests", dependencies: ["InboxTestSupport", "UniformTypeIdentifiers"],
            exclude: ["Expected"]),
        .testTarget(
            name: "InboxDetectionTests", dependencies: ["InboxDetection", "UniformTypeIdentifiers", "InboxLinux"],
            exclude: ["Expected"]),
        .testTarget(
            name: "InboxCoreTests",
            dependencies: [
                "InboxTestSupport", "InboxCore", "InboxDetection", "UniformTypeIdentifiers", "InboxLinux",
            ]),
        .testTarget(name: "InboxVarlinkTests", dependencies: ["InboxTestSupport", "InboxVarlink", "InboxLinux"]),
        .testTarget(name: "InboxControlTests", dependencies: ["inboxctl", "InboxVarlink", "InboxCore", "InboxLinux"]),
        .target(name: "InboxTestSupport", dependencies: ["InboxLinux"], path: "Tests/Support"),
        .testTarget(name: "InboxScenarioTests", dependencies: ["InboxTestSupport", "inboxd", "inboxctl"]),
        .testTarget(
            name: "InboxFaultTests",
            dependencies: ["InboxTestSupport", "inboxd", "inboxctl", "InboxCore", "InboxLinux"]),
        .testTarget(name: "InboxMountTests", dependencies: ["InboxTestSupport", "inboxd", "inboxctl"]),
        .testTarget(name: "InboxHouseTests"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
