// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "DoorbellApp",
    dependencies: [
        // Elsewhere: .package(url: "https://…/bluethroat", from: "…", traits: []), with the address of the repository.
        .package(name: "bluethroat", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "Doorbell",
            dependencies: [.product(name: "CoreBluetoothMock", package: "bluethroat")]
        ),
        .testTarget(
            name: "DoorbellTests",
            dependencies: [
                "Doorbell",
                // Where it is left out, the tests run in real time.
                .product(name: "CoreBluetoothMockTesting", package: "bluethroat"),
            ]
        ),
    ],
    swiftLanguageModes: [.v5]
)
