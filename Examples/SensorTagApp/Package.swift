// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SensorTagApp",
    platforms: [.iOS(.v17), .macOS(.v15)],
    products: [
        .library(name: "SensorTagApp", targets: ["SensorTagApp"]),
        .executable(name: "sensor-tag", targets: ["sensor-tag"]),
    ],
    dependencies: [
        // Elsewhere: .package(url: "https://…/bluethroat", from: "…", traits: []), with the address of the repository.
        .package(name: "bluethroat", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "SensorTagApp",
            dependencies: [
                .product(name: "BluethroatPeripheralFutures", package: "bluethroat"),
                .product(name: "CoreBluetooth", package: "bluethroat", condition: .when(platforms: [.linux])),
            ]
        ),
        .executableTarget(
            name: "sensor-tag",
            dependencies: [
                "SensorTagApp",
                .product(name: "BluethroatPeripheralFutures", package: "bluethroat"),
                .product(name: "CoreBluetooth", package: "bluethroat", condition: .when(platforms: [.linux])),
            ]
        ),
        .testTarget(
            name: "SensorTagAppTests",
            dependencies: [
                "SensorTagApp",
                .product(name: "BluethroatPeripheralFutures", package: "bluethroat"),
                .product(name: "BluethroatTesting", package: "bluethroat", condition: .when(platforms: [.linux])),
            ]
        ),
    ]
)
