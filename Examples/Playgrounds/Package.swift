// swift-tools-version: 6.2
import PackageDescription

/// Each is one file, `main.swift`, which can be pasted into a package of one's own.
let programs = [
    "manager-states", "add-services", "set-value", "notify-updates", "answer-writes", "be-a-beacon", "restore-state",
]

let package = Package(
    name: "Playgrounds",
    dependencies: [
        // Elsewhere: .package(url: "https://…/bluethroat", branch: "main", traits: []).
        .package(name: "bluethroat", path: "../..", traits: [])
    ],
    targets: programs.map { name in
        .executableTarget(
            name: name,
            dependencies: [
                .product(name: "BluethroatPeripheralFutures", package: "bluethroat"),
                // The simulated phones, and their CoreBluetooth. They run on Linux.
                .product(name: "BluethroatTesting", package: "bluethroat"),
                .product(name: "CoreBluetooth", package: "bluethroat"),
            ]
        )
    } + [.testTarget(name: "PlaygroundsTests", dependencies: programs.map { .target(name: $0) })]
)
