// swift-tools-version: 6.2
import PackageDescription

/// The stack and the values it is spoken to in. `make bench` builds all of it in release.
let products = [
    "BluethroatVirtualTime", "BluethroatBluetoothValues", "BluethroatRadioMedium", "BluethroatLinkLayer",
    "BluethroatHost", "BluethroatSimulation", "BluethroatKeyFob", "CoreBluetooth",
    "BluethroatPhones", "BluethroatOverflowStudy", "BluethroatRanks", "BluethroatRankGroups",
    "BluethroatPeripheralFutures",
]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        // By its name, since a clone's folder may have any other.
        .package(name: "bluethroat", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: products.map { .product(name: $0, package: "bluethroat") },
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
