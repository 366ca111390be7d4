// swift-tools-version: 6.2
import PackageDescription

// Somebody's package of before version 0.2: all modules by their old names. Built with BLUETHROAT_OLD_NAMES=1.
let modules = [
    "AppTime", "BluetoothValues", "ControlPanel", "HCITransports", "Host", "KeyFob", "KeyFobPhone", "LinkLayer",
    "LivePhones", "MoneyBank", "MoneyDrop", "OverflowAnalyser", "OverflowArea", "OverflowStudy", "PeripheralFutures",
    "PersistentBonds", "PhoneService", "Phones", "RadioMedium", "Simulation", "Stage", "VirtualTime",
    "WorkstationLogin",
]

let package = Package(
    name: "OldNames",
    dependencies: [.package(name: "bluethroat", path: "../../..", traits: ["Database", "HTTP"])],
    targets: [
        .testTarget(
            name: "OldNamesTests",
            dependencies: modules.map { .product(name: $0, package: "bluethroat") }
                + ["CoreBluetooth", "BluethroatTesting"].map { .product(name: $0, package: "bluethroat") }
        )
    ]
)
