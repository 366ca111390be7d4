// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HeartRateApp",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "HeartRateMonitor", targets: ["HeartRateMonitor"])
    ],
    dependencies: [
        // Elsewhere: .package(url: "https://…/bluethroat", from: "…", traits: []), with the address of the repository.
        .package(name: "bluethroat", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "HeartRateMonitor",
            dependencies: [
                // Apple's systems have a framework of this name, which is then the one that is found.
                .product(name: "CoreBluetooth", package: "bluethroat", condition: .when(platforms: [.linux]))
            ]
        ),
        .testTarget(
            name: "HeartRateMonitorTests",
            dependencies: [
                "HeartRateMonitor",
                .product(name: "BluethroatTesting", package: "bluethroat", condition: .when(platforms: [.linux])),
            ]
        ),
    ]
)
