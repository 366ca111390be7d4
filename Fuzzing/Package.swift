// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Which choices a world has made counts as coverage, too.
let coverage = SwiftSetting.unsafeFlags([
    "-Xfrontend", "-sanitize=\(Context.environment["BLUETHROAT_SANITIZERS"] ?? "fuzzer")", "-Xfrontend",
    "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp",
])

/// A program for the targets of one module: `Sources/NAMEFuzz` has its entry, and links to what it takes of the module's
/// tests, which are the targets and the worlds they need.
func program(_ name: String, on products: [String]) -> Target {
    .executableTarget(
        name: name + "Fuzz",
        dependencies: ["FuzzHarness"] + (["FuzzInputs"] + products).map { .product(name: $0, package: "bluethroat") },
        swiftSettings: settings + [coverage]
    )
}

let package = Package(
    name: "Fuzzing",
    dependencies: [
        // By its name, since a clone's folder may have any other.
        .package(name: "bluethroat", path: "..")
    ],
    targets: [
        // The C declaration of what libFuzzer offers; the library itself is the toolchain's.
        .target(name: "LibFuzzer"),
        .target(
            name: "FuzzHarness",
            dependencies: ["LibFuzzer", .product(name: "FuzzInputs", package: "bluethroat")],
            swiftSettings: settings
        ),
        program("HCI", on: ["HCI", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program("AirPackets", on: ["AirPackets", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program(
            "LinkLayer",
            on: [
                "LinkLayer", "HCI", "AirPackets", "BluetoothCrypto", "RadioMedium", "BluetoothValues", "ByteCoding",
                "VirtualTime",
            ]
        ),
        program("Host", on: ["Host", "HCI", "BluetoothCrypto", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program("PhoneService", on: ["PhoneService", "Host", "HCI", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program("WorkstationLogin", on: ["WorkstationLogin", "CoreBluetooth", "AppTime"]),
        program("MoneyDrop", on: ["MoneyDrop", "MoneyTerms", "CoreBluetooth", "AppTime"]),
        program("OverflowArea", on: ["OverflowArea", "CoreBluetooth"]),
        program("PeripheralFutures", on: ["PeripheralFutures", "CoreBluetooth"]),
        program("BondDatabase", on: ["BondDatabase"]),
        program("MoneyBank", on: ["MoneyBank", "MoneyTerms"]),
        program("ControlPanel", on: ["ControlPanel"]),
    ]
)
