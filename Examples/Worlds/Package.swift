// swift-tools-version: 6.2
import PackageDescription

/// An import is needed for each module that something is used of: then a product that is missing is noticed here.
let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

/// The products that have these modules.
func bluethroat(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: "Bluethroat" + $0, package: "bluethroat", condition: .when(platforms: [.linux])) }
}

let package = Package(
    name: "Worlds",
    dependencies: [
        // Elsewhere: .package(url: "https://…/bluethroat", branch: "main", traits: ["Database", "HTTP"]).
        .package(name: "bluethroat", path: "../..", traits: ["Database", "HTTP"])
    ],
    targets: [
        // Modules of one's own may be called as they like: ours begin with Bluethroat.
        .target(name: "Live", dependencies: bluethroat("Live", "HCITransports"), swiftSettings: settings),
        .target(
            name: "Central",
            dependencies: bluethroat("Central", "HCITransports", "Host", "BluetoothValues", "VirtualTime"),
            swiftSettings: settings
        ),
        .testTarget(
            name: "WorldsTests",
            dependencies: ["Live", "Central"]
                // The worlds, and what the tests say of them.
                + bluethroat("Live", "LiveLoop", "HCITransports", "Events", "Host", "VirtualTime", "Central")
                + bluethroat("KeyFobWorld", "KeyFob", "KeyFobConsole")
                + bluethroat("SensorTagWorld", "PeripheralApps")
                + bluethroat("OverflowWorld")
                + bluethroat("WorkstationWorld", "WorkstationLogin", "OfficeDay")
                // MoneyDrop, with its bank.
                + bluethroat("MoneyDropWorld", "MoneyDrop", "MoneyBank", "MoneyTerms", "AppEnvironment", "Testing"),
            swiftSettings: settings
        ),
    ]
)
