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

/// What a target of the main package is called where others see it.
func module(_ name: String) -> String { name == "CoreBluetooth" ? name : "Bluethroat" + name }

/// A program for the targets of one module: `Sources/NAMEFuzz` has its entry, and links to what it takes of the module's
/// tests, which are the targets and the worlds they need.
func program(_ name: String, on products: [String], others: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name + "Fuzz",
        dependencies: ["FuzzHarness"]
            + (["FuzzInputs"] + products.map(module)).map { .product(name: $0, package: "bluethroat") }
            + others,
        swiftSettings: settings + [coverage]
    )
}

/// What worlds on the air are made of.
let worlds = ["Simulation", "RadioMedium"]

/// Connections without sockets.
let channels: [Target.Dependency] = ["NIOCore", "NIOEmbedded"].map { .product(name: $0, package: "swift-nio") }

let package = Package(
    name: "Fuzzing",
    dependencies: [
        // By its name, since a clone's folder may have any other.
        .package(name: "bluethroat", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
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
        program("Dissection", on: ["Dissection", "Host", "HCI", "AirPackets", "BluetoothValues", "ByteCoding"]),
        program("AttributeText", on: ["AttributeText", "BluetoothValues", "ByteCoding"]),
        program(
            "LinkLayer",
            on: [
                "LinkLayer", "HCI", "AirPackets", "BluetoothCrypto", "RadioMedium", "BluetoothValues", "ByteCoding",
                "VirtualTime",
            ]
        ),
        program("Host", on: ["Host", "HCI", "BluetoothCrypto", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program("KeyFob", on: ["KeyFob", "Host", "HCI", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program("Ranks", on: ["Ranks", "BluetoothValues", "ByteCoding", "VirtualTime"] + worlds),
        program("PhoneService", on: ["PhoneService", "Host", "HCI", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        program(
            "WorkstationLogin",
            on: [
                "WorkstationLogin", "CoreBluetooth", "AppEnvironment", "Phones", "PhoneService", "Host", "VirtualTime",
            ]
                + worlds
        ),
        program(
            "MoneyDrop",
            on: [
                "MoneyDrop", "MoneyBank", "MoneyTerms", "Testing", "CoreBluetooth", "AppEnvironment", "VirtualTime",
            ]
                + worlds
        ),
        program("OverflowArea", on: ["OverflowArea", "CoreBluetooth"]),
        program(
            "PeripheralFutures",
            on: ["PeripheralFutures", "PeripheralApps", "Testing", "Phones", "CoreBluetooth", "AppEnvironment"] + worlds
        ),
        program("BondDatabase", on: ["BondDatabase"]),
        program("MoneyBank", on: ["MoneyBank", "MoneyTerms"]),
        program("ControlPanel", on: ["ControlPanel"]),
        program("KeyFobConsole", on: ["KeyFobConsole", "KeyFob", "Central", "ByteCoding", "VirtualTime"]),
        program("LivePhones", on: ["LivePhones", "ByteCoding"]),
        program("DeviceStudy", on: ["DeviceStudy", "Studies", "Events", "ByteCoding"]),
        program("HTTPServing", on: ["HTTPServing", "Listening"], others: channels),
        program("HTTPAsking", on: ["HTTPAsking"], others: channels),
        program(
            "Simulation",
            on: worlds + [
                "LinkLayer", "Host", "HCI", "AirPackets", "BluetoothCrypto", "BluetoothValues", "ByteCoding",
                "VirtualTime",
            ]
        ),
    ]
)
