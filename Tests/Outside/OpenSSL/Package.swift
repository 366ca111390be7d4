// swift-tools-version: 6.2
import PackageDescription

/// Somebody's package with `traits: []`, where the system's OpenSSL does the cryptography, with the tests that it has to
/// pass as swift-crypto does. Their folders are those of the repository.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let bluethroat: [Target.Dependency] = [
    "BluethroatBluetoothCrypto", "BluethroatBluetoothValues", "BluethroatByteCoding", "BluethroatVirtualTime",
]
.map { .product(name: $0, package: "bluethroat") }

let package = Package(
    name: "OpenSSL",
    dependencies: [.package(name: "bluethroat", path: "../../..", traits: [])],
    targets: [
        .executableTarget(name: "crypto-answers", dependencies: bluethroat, swiftSettings: settings),
        .testTarget(
            name: "BluetoothCryptoTests",
            dependencies: ["crypto-answers"] + bluethroat,
            resources: [.copy("Vectors")],
            swiftSettings: settings
        ),
        .testTarget(name: "OpenSSLTests", dependencies: bluethroat, swiftSettings: settings),
    ]
)
