// swift-tools-version: 6.2
import PackageDescription

/// `make check` lets no warning pass; an ordinary build only shows them.
let strictness: [SwiftSetting] = Context.environment["BLUETHROAT_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

#if os(Linux)
    /// Linux has OpenSSL: swift-crypto is left out unless it is asked for.
    let whereAsked: TargetDependencyCondition? = .when(traits: ["SwiftCrypto"])
    let systemsCrypto: [SwiftSetting] = []
#else
    /// swift-crypto is always there, which is little where CryptoKit is.
    let whereAsked: TargetDependencyCondition? = nil
    let systemsCrypto: [SwiftSetting] = [.define("SwiftCrypto")]
#endif

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + strictness + systemsCrypto

/// The floors of the house, and which targets are on each: `Host` is in `Sources/Core/Host`, and its module is called
/// `BluethroatHost`, so that no package that uses this one has a module of the same name. This manifest and the pages say
/// `Host`. What is not named here is for our tests only.
let floors: KeyValuePairs<String, [String]> = [
    // Packets, machines, worlds: deterministic, without a clock or a socket.
    "Core": [
        "ByteCoding", "VirtualTime", "BluetoothValues", "AttributeText", "HCI", "AirPackets", "LibCrypto",
        "BluetoothCrypto", "RadioMedium", "LinkLayer", "Host", "Dissection", "Simulation", "Ranks", "PhoneService",
    ],
    // Threads, sockets, files, HTTP, and worlds in real time.
    "Live": [
        "PrivateDatabase", "PrivateFiles", "Listening", "HTTPServing", "HTTPAsking", "HCITransports", "HCIServing",
        "LiveLoop", "BondDatabase", "Events",
        "LiveWorld", "Live", "Workbench", "ControlPanel", "Central", "Attaching", "RankGroups",
        "COpenMPI", "MPIShim", "MPIRanks",
    ],
    // Apple's API, phones and their apps.
    "Apple": [
        "AppEnvironment", "CoreBluetooth", "CoreBluetoothHeaders", "AppleCoreBluetooth", "WeakLinkHooks",
        "Phones", "LivePhones", "LivePhonesPort", "PersistentBonds", "Testing", "PeripheralFutures",
        "CoreBluetoothMock", "CoreBluetoothMockTesting",
    ],
    // The key fob and the other systems.
    "Apps": [
        "KeyFob", "KeyFobConsole", "KeyFobPhone", "KeyFobWorld", "MoneyTerms", "MoneyBank", "MoneyDrop",
        "MoneyDropWorld", "OverflowArea", "OverflowAnalyser", "OverflowStudy", "OverflowWorld",
        "Studies", "DeviceStudy", "WorkstationLogin", "OfficeDay", "WorkstationWorld", "PeripheralApps",
        "SensorTagWorld",
    ],
    // The command.
    "Tools": [
        "bluethroat", "Terminal", "Version",
    ],
]

/// Programs that only tests run, and what they share.
let programs = [
    "app-peer", "app-trace-digest", "bond-writer", "crypto-answers", "main-run-loop", "pairing-peer",
    "trace-digest", "SceneRecords", "RankTowns", "rank-town",
]

/// What keeps its name: the modules that are called as Apple's and as Nordic's, and the command.
let unprefixed = ["CoreBluetooth", "CoreBluetoothMock", "CoreBluetoothMockTesting", "bluethroat"]

/// What a target of ours is called where others see it.
func module(_ name: String) -> String {
    guard floors.contains(where: { $0.value.contains(name) }), !unprefixed.contains(name) else { return name }
    return "Bluethroat" + name
}

/// Gives a target its folder, and it and what it depends on their names.
func settle(_ target: Target) {
    if target.path == nil {
        if let floor = floors.first(where: { $0.value.contains(target.name) }) {
            target.path = "Sources/\(floor.key)/\(target.name)"
        } else if programs.contains(target.name) {
            target.path = "Tests/Programs/\(target.name)"
        }
    }
    target.name = module(target.name)
    target.dependencies = target.dependencies.map { dependency in
        guard case .byNameItem(let name, let condition) = dependency else { return dependency }
        return .byNameItem(name: module(name), condition: condition)
    }
}

/// The product that is one target.
func library(_ name: String) -> Product { .library(name: module(name), targets: [module(name)]) }

/// One layer of the house. Arrows point up the list only; `docs/architecture.md` says why.
func layer(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Layers whose tests have targets of the fuzzer, which the package in `Fuzzing` compiles as well: they see no more here than
/// there.
let fuzzed: Set = [
    "AirPackets", "AttributeText", "BondDatabase", "ControlPanel", "DeviceStudy", "Dissection", "HCI", "HTTPAsking",
    "HTTPServing", "Host", "KeyFob", "KeyFobConsole", "LinkLayer", "LivePhones", "MoneyBank", "MoneyDrop",
    "OverflowArea", "PeripheralFutures", "PhoneService", "Ranks", "Simulation", "WorkstationLogin",
]

/// The tests of one layer, in a folder named after it. Any of them may fuzz.
func tests(of name: String, with dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name), "FuzzInputs"] + dependencies,
        resources: resources,
        packageAccess: !fuzzed.contains(name),
        swiftSettings: settings
    )
}

/// What a package that depends on this one can leave out with `traits: []`, so that it need not even be downloaded.
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Database"]))
let sqlite: Target.Dependency = .product(
    name: "GRDBSQLite",
    package: "GRDB.swift",
    condition: .when(traits: ["Database"])
)
let http: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"]))
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"]))
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Ports"]))
let embedded: Target.Dependency = .product(
    name: "NIOEmbedded",
    package: "swift-nio",
    condition: .when(traits: ["Ports"])
)
let sockets: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Ports"]))
let locks: Target.Dependency = .product(
    name: "NIOConcurrencyHelpers",
    package: "swift-nio",
    condition: .when(traits: ["Ports"])
)
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto", condition: whereAsked)
let cryptography: [Target.Dependency] = [
    crypto, .product(name: "CryptoExtras", package: "swift-crypto", condition: whereAsked),
]
let yaml: Target.Dependency = .product(name: "Yams", package: "Yams", condition: .when(traits: ["Studies"]))
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["Command"])
)

/// What developers should know, where the program that runs it wants to have it.
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// Queues: first in, first out.
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

#if os(Linux)
    /// What the worlds of a live session need.
    let live: [Target.Dependency] = [
        "Events", "Live", "LiveWorld", "ControlPanel", "Workbench", "LiveLoop", "Simulation",
        "Host", "RadioMedium", "VirtualTime",
    ]
    /// What they need to have phones in them.
    let phones: [Target.Dependency] = ["AppEnvironment", "PhoneService", "Phones"]

    /// Apple's API, for systems that do not have it.
    let coreBluetooth: [Target] = [
        .target(name: "CoreBluetoothHeaders"),
        layer(
            "CoreBluetooth",
            on: [
                "AppEnvironment", "CoreBluetoothHeaders", "WeakLinkHooks", "PhoneService", "Host", "BluetoothValues",
                "ByteCoding",
                "VirtualTime", deque,
            ]
        ),
        // Parts of a program that need not be there.
        .target(name: "WeakLinkHooks"),
        // Phones in worlds, and the apps on them.
        layer(
            "Phones",
            on: [
                "CoreBluetooth", "PhoneService", "AppEnvironment", "Simulation", "Host", "LinkLayer", "RadioMedium",
                "BluetoothValues", "VirtualTime",
            ]
        ),
        // An app like any other: it knows nothing but Apple's API.
        layer("KeyFobPhone", on: ["CoreBluetooth", "AppEnvironment"]),
        tests(
            of: "KeyFobPhone",
            with: [
                "AppEnvironment", "Phones", "CoreBluetooth", "PhoneService", "Simulation", "Host", "RadioMedium",
                "BluetoothValues",
                "VirtualTime",
            ]
        ),
        // A beacon in the area where iPhones put services that they cannot advertise otherwise.
        layer("OverflowArea", on: ["CoreBluetooth", "AppEnvironment"]),
        tests(
            of: "OverflowArea",
            with: [
                "OverflowAnalyser", "AppEnvironment", "Testing", "CoreBluetooth", "Phones", "PhoneService",
                "Simulation", "Host", "RadioMedium", "BluetoothValues", "VirtualTime",
            ],
            resources: [.copy("Resources")]
        ),
        // Two more: texts between two phones, and the desk that lets people in who carry one.
        layer(
            "WorkstationLogin",
            on: ["CoreBluetooth", "AppEnvironment", "PrivateFiles", "ByteCoding"] + cryptography
        ),
        tests(
            of: "WorkstationLogin",
            with: [
                "AppEnvironment", "PrivateFiles", "Phones", "CoreBluetooth", "PhoneService", "Simulation", "Host",
                "LinkLayer",
                "RadioMedium",
                "BluetoothCrypto", "BluetoothValues", "VirtualTime",
            ] + cryptography
        ),
        // Managers with futures. An app of today may be written against them as against Apple's API.
        layer("PeripheralFutures", on: ["CoreBluetooth", "AppEnvironment"]),
        // Apps that are written with them, for the command line.
        layer("PeripheralApps", on: ["PeripheralFutures", "CoreBluetooth", "AppEnvironment"]),
        tests(
            of: "PeripheralFutures",
            with: ["PeripheralApps", "Testing", "Phones", "CoreBluetooth", "AppEnvironment"],
            resources: [.copy("Signatures/Resources")]
        ),
        // Money to whoever is near: one more app.
        layer(
            "MoneyDrop",
            on: [
                "CoreBluetooth", "AppEnvironment", "MoneyTerms", "PrivateFiles", crypto,
            ]
        ),
        tests(
            of: "MoneyDrop",
            with: [
                "MoneyTerms", "MoneyBank", "PrivateFiles", "AppEnvironment", "Testing", "Phones", "CoreBluetooth",
                "PhoneService",
                "Simulation", "RadioMedium", "AirPackets", "Host", "BluetoothValues", "VirtualTime",
            ]
        ),
        // Worlds by the dozen: where they are computed, what is kept of them, statistics, plots, walks.
        layer(
            "Studies",
            on: [
                "Events", "Ranks", "RankGroups", "MPIRanks", "RadioMedium", "BluetoothValues", "ByteCoding",
                "VirtualTime",
            ]
        ),
        tests(
            of: "Studies",
            with: ["Events", "Ranks", "RankGroups", "RadioMedium", "BluetoothValues", "VirtualTime"]
        ),
        // Worlds of any devices, which a file describes.
        layer(
            "DeviceStudy",
            on: [
                "Studies", "Ranks", "OverflowStudy", "OverflowArea", "PeripheralApps", "PeripheralFutures", "KeyFob",
                "KeyFobPhone", "MoneyDrop", "MoneyBank", "MoneyTerms", "WorkstationLogin", "Phones",
                "CoreBluetooth", "AppEnvironment", "PhoneService", "Simulation", "Host", "LinkLayer", "AirPackets",
                "RadioMedium", "Events", "BluetoothValues", "ByteCoding", "VirtualTime", yaml,
            ]
        ),
        tests(
            of: "DeviceStudy",
            with: [
                "Studies", "Ranks", "RankGroups", "Simulation", "Host", "LinkLayer", "AirPackets", "RadioMedium",
                "Events", "BluetoothValues",
                "VirtualTime", yaml,
            ]
        ),
        // Crowds of phones with such beacons, and what becomes of what they send.
        layer(
            "OverflowStudy",
            on: [
                "Studies", "OverflowArea", "CoreBluetooth", "AppEnvironment", "Phones", "PhoneService", "Ranks",
                "Simulation", "RadioMedium", "BluetoothValues", "VirtualTime",
            ]
        ),
        tests(
            of: "OverflowStudy",
            with: ["Studies", "OverflowArea", "Ranks", "RankGroups", "RadioMedium", "BluetoothValues", "VirtualTime"]
        ),
        // Many of them in one room.
        layer(
            "OfficeDay",
            on: [
                "WorkstationLogin", "Phones", "AppEnvironment", "Simulation", "Host", "RadioMedium", "BluetoothValues",
                "VirtualTime",
            ]
        ),
        tests(
            of: "OfficeDay",
            with: [
                "WorkstationLogin", "Phones", "PhoneService", "Simulation", "Host", "RadioMedium", "BluetoothValues",
                "VirtualTime",
            ]
        ),
        // The same in real time, on an air of the process or on controllers elsewhere. Whoever depends on the product
        // CoreBluetooth has it, too: it is where managers are that were told of no phone.
        layer(
            "LivePhones",
            on: [
                "LiveWorld", "CoreBluetooth", "WeakLinkHooks", "Phones", "PhoneService", "LiveLoop", "PrivateFiles",
                "HCITransports", "Simulation", "Host", "LinkLayer", "RadioMedium", "BluetoothCrypto", "BluetoothValues",
                "ByteCoding", "VirtualTime", logging,
            ]
        ),
        // A port on their air, at which hosts outside find controllers.
        layer("LivePhonesPort", on: ["LivePhones", "HCIServing", "HCITransports"]),
        // Apps that pass data to each other, as a program; tests put strangers in front of them.
        .executableTarget(
            name: "app-peer",
            dependencies: ["CoreBluetooth", "LivePhones", "PersistentBonds"],
            swiftSettings: settings
        ),
        layer("PersistentBonds", on: ["LivePhones", "LiveLoop", "BondDatabase", "Host"]),
        tests(
            of: "LivePhones",
            with: [
                "app-peer", "CoreBluetooth", "CoreBluetoothStrangers", "LivePhonesPort",
                "HCIServing", "PersistentBonds", "Phones",
                "PhoneService", "HCITransports", "KeyFob", "Testing",
                "Simulation", "Host", "LinkLayer", "RadioMedium", "BluetoothValues", "VirtualTime", logging,
            ]
        ),
        tests(
            of: "CoreBluetooth",
            with: [
                "CoreBluetoothStrangers", "CoreBluetoothStrangersOfOld", "CoreBluetoothStrangersOnMain",
                "main-run-loop", "AppEnvironment", "Phones", "PhoneService", "KeyFob", "Simulation", "Host",
                "LinkLayer", "AirPackets",
                "RadioMedium", "BluetoothValues", "VirtualTime",
            ],
            resources: [.copy("Resources")]
        ),
        // Has its streams on the main run loop, which a test's process does not run; a test reads what it prints.
        .executableTarget(
            name: "main-run-loop",
            dependencies: ["CoreBluetooth", "PhoneService"],
            swiftSettings: settings
        ),
        // Recorded lives of phones with apps; a test compares them with the record.
        .executableTarget(
            name: "app-trace-digest",
            dependencies: [
                "SceneRecords", "CoreBluetooth", "PhoneService", "Phones", "AppEnvironment", "OverflowArea",
                "OverflowStudy",
                "OfficeDay", "WorkstationLogin", "MoneyDrop", "MoneyTerms", "MoneyBank", "PeripheralApps",
                "PeripheralFutures", "KeyFobPhone", "KeyFob", "Simulation", "Host", "LinkLayer", "RadioMedium",
                "BluetoothValues", "VirtualTime",
            ],
            swiftSettings: settings
        ),
        tests(of: "app-trace-digest", with: ["RecordedPrograms"]),
        // What app developers import in their tests.
        layer(
            "Testing",
            on: [
                "AppEnvironment", "Phones", "CoreBluetooth", "PhoneService", "KeyFob", "Simulation", "Host",
                "LinkLayer",
                "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime", "PrivateFiles", deque, logging,
            ]
        ),
        tests(of: "Testing", with: ["CoreBluetooth", "CoreBluetoothStrangers"]),
        // The API of Nordic's mock for apps and their tests, over all this. Apps import it, so that it knows no framework for
        // tests.
        layer(
            "CoreBluetoothMock",
            on: [
                "CoreBluetooth", "LivePhones", "Phones", "PhoneService", "Simulation", "Host", "RadioMedium",
                "BluetoothValues", "VirtualTime", logging,
            ]
        ),
        // An app and its simulated peripherals as the original's users write them.
        .target(
            name: "CoreBluetoothMockStrangers",
            dependencies: ["CoreBluetoothMock"],
            path: "Tests/CoreBluetoothMockStrangers",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        tests(
            of: "CoreBluetoothMock",
            with: ["CoreBluetoothMockStrangers", "CoreBluetooth", "Testing", "VirtualTime"]
        ),
        // What lets time pass while tests for the original wait. Importing it changes what their waits mean.
        layer("CoreBluetoothMockTesting", on: ["CoreBluetoothMock", "Testing"]),
        // Tests as the original's users write them.
        .testTarget(
            name: "CoreBluetoothMockTestingTests",
            dependencies: ["CoreBluetoothMockTesting", "CoreBluetoothMockStrangers", "CoreBluetoothMock"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // Code that was not written for us, with the settings that code has elsewhere.
        .target(
            name: "CoreBluetoothStrangers",
            dependencies: ["CoreBluetooth"],
            path: "Tests/CoreBluetoothStrangers",
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .target(
            name: "CoreBluetoothStrangersOnMain",
            dependencies: ["CoreBluetooth"],
            path: "Tests/CoreBluetoothStrangersOnMain",
            swiftSettings: [
                .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
        .target(
            name: "CoreBluetoothStrangersOfOld",
            dependencies: ["CoreBluetooth"],
            path: "Tests/CoreBluetoothStrangersOfOld",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // A live session from launch to end, with its ports and its panel, and the key fobs that can be in any.
        layer(
            "Live",
            on: [
                "Events", "LiveWorld", "BondDatabase", "PrivateFiles", "ControlPanel", "Workbench",
                "KeyFob", "KeyFobConsole", "KeyFobPhone", "LiveLoop", "HCITransports", "HCIServing", "AppEnvironment",
                "CoreBluetooth",
                "PhoneService", "Phones", "Simulation", "Host", "LinkLayer", "RadioMedium", "BluetoothCrypto",
                "BluetoothValues", "VirtualTime",
            ]
        ),
        // Hosts that come through the kernel, a pseudo-terminal or a socket, on any air.
        layer("Attaching", on: ["Events", "Live", "HCITransports", "HCIServing", "Listening", "VirtualTime"]),
        tests(
            of: "Attaching",
            with: ["Events", "Live", "HCITransports", "HCIServing", "Listening", "VirtualTime"]
        ),
        // The devices of a session, with their events and their part of the panel: one library for each system.
        layer("KeyFobWorld", on: ["KeyFob", "KeyFobConsole", "BluetoothValues"] + live),
        layer(
            "SensorTagWorld",
            on: ["CoreBluetooth", "PeripheralApps", "PeripheralFutures", "BluetoothValues"] + live + phones
        ),
        layer(
            "MoneyDropWorld",
            on: [
                "MoneyDrop", "MoneyTerms", "MoneyBank", "PrivateFiles", "BondDatabase", "HCITransports",
                "CoreBluetooth",
                "ByteCoding",
            ] + live + phones
        ),
        layer(
            "OverflowWorld",
            on: [
                "OverflowArea", "OverflowAnalyser", "OverflowStudy", "Studies", "CoreBluetooth",
                "BluetoothValues", "ByteCoding",
            ] + live + phones
        ),
        layer(
            "WorkstationWorld",
            on: [
                "WorkstationLogin", "OfficeDay", "PrivateFiles", "BondDatabase", "CoreBluetooth", "BluetoothValues",
                "ByteCoding",
            ] + live + phones
        ),
        tests(
            of: "WorkstationWorld",
            with: [
                "WorkstationLogin", "Live", "Events", "Phones", "RadioMedium", "Simulation", "Workbench", "VirtualTime",
            ]
        ),
        // A process at a terminal: its standard streams and its signals.
        layer("Terminal", on: ["Events", "Listening", "ByteCoding"]),
        // Which Bluethroat this is: the only target for which something else than a compiler runs.
        .target(name: "Version", swiftSettings: settings, plugins: ["CommitPlugin"]),
        .plugin(name: "CommitPlugin", capability: .buildTool()),
        .executableTarget(
            name: "bluethroat",
            dependencies: [
                "Attaching", "Version", "Events", "Terminal", "LiveWorld", "Live", "Central",
                "KeyFobWorld", "SensorTagWorld", "MoneyDropWorld",
                "OverflowWorld", "WorkstationWorld", "ControlPanel", "Listening", "BondDatabase",
                "KeyFob", "KeyFobConsole", "KeyFobPhone", "HCITransports", "LiveLoop", "Host", "OverflowAnalyser",
                "OverflowArea", "OverflowStudy", "Studies", "DeviceStudy", "MoneyTerms", "MoneyBank", "MoneyDrop",
                "WorkstationLogin", "OfficeDay",
                "PeripheralApps", "RadioMedium", "Simulation", "BluetoothCrypto", "BluetoothValues", "ByteCoding",
                "VirtualTime",
                arguments,
            ],
            swiftSettings: settings
        ),
        tests(
            of: "Live",
            with: [
                "CoreBluetooth", "HCI", "Host", "KeyFob", "PhoneService", "Phones", "RadioMedium", "Simulation",
                "Workbench",
                "BluetoothValues", "VirtualTime",
            ]
        ),
        tests(
            of: "KeyFobWorld",
            with: [
                "Live", "ByteCoding", "HCI", "Host", "KeyFob", "KeyFobConsole", "KeyFobPhone", "LiveLoop",
                "RadioMedium", "Simulation", "Workbench", "BluetoothValues", "VirtualTime",
            ]
        ),
        tests(
            of: "OverflowWorld",
            with: [
                "Events", "Live", "Host", "LiveLoop", "OverflowAnalyser", "OverflowArea",
                "PhoneService", "Phones", "Workbench", "BluetoothValues", "VirtualTime",
            ]
        ),
        tests(
            of: "Central",
            with: [
                "Events", "KeyFobWorld", "Live", "LiveWorld", "HCITransports", "HCIServing",
                "Host", "KeyFob", "KeyFobConsole", "LiveLoop", "BluetoothCrypto", "BluetoothValues", "ByteCoding",
                "VirtualTime",
            ]
        ),
        tests(
            of: "bluethroat",
            with: [
                "AppEnvironment", "Central", "Events", "Live", "MoneyBank", "MoneyDrop", "MoneyDropWorld", "MoneyTerms",
                "OverflowWorld", "SensorTagWorld", "Simulation", "Terminal", "ControlPanel", "HCITransports", "Host",
                "KeyFob",
                "KeyFobConsole", "KeyFobPhone", "LiveLoop", "OverflowAnalyser", "OverflowArea", "OverflowStudy",
                "Studies",
                "PeripheralApps", "PeripheralFutures", "Phones", "Workbench", "BluetoothCrypto", "BluetoothValues",
                "VirtualTime", arguments,
            ]
        ),
    ]
    let coreBluetoothProducts: [Product] = [
        .executable(name: "bluethroat", targets: ["bluethroat"]),
        library("Live"),
        library("Attaching"),
        library("KeyFobWorld"),
        library("SensorTagWorld"),
        library("MoneyDropWorld"),
        library("OverflowWorld"),
        library("WorkstationWorld"),
        .library(name: "CoreBluetooth", targets: ["CoreBluetooth", module("LivePhones")]),
        library("CoreBluetoothMock"),
        library("CoreBluetoothMockTesting"),
        library("LivePhones"),
        library("LivePhonesPort"),
        library("PersistentBonds"),
        library("Testing"),
        library("Phones"),
        library("PeripheralFutures"),
        library("PeripheralApps"),
        library("MoneyDrop"),
        library("OverflowStudy"),
        library("Studies"),
        library("DeviceStudy"),
        library("OfficeDay"),
        library("AppEnvironment"),
        library("Central"),
        library("Events"),
        library("MoneyBank"),
        library("MoneyTerms"),
        library("RankGroups"),
        library("MPIRanks"),
        library("KeyFobConsole"),
        library("KeyFobPhone"),
        library("OverflowArea"),
        library("WorkstationLogin"),
        library("Listening"),
        library("HCITransports"),
        library("HCIServing"),
        library("LiveLoop"),
        library("LiveWorld"),
        library("BondDatabase"),
        library("Workbench"),
        library("ControlPanel"),
    ]
#else
    /// A target of that name would hide Apple's framework.
    let coreBluetooth: [Target] = [
        layer("AppleCoreBluetooth"), layer("KeyFobPhone", on: ["AppEnvironment"]),
        layer("OverflowArea", on: ["AppEnvironment"]),
        layer("PeripheralFutures", on: ["AppEnvironment"]),
        layer("PeripheralApps", on: ["PeripheralFutures", "AppEnvironment"]),
        layer("WorkstationLogin", on: ["AppEnvironment", "PrivateFiles", "ByteCoding"] + cryptography),
        layer(
            "MoneyDrop",
            on: ["AppEnvironment", "MoneyTerms", "PrivateFiles", crypto]
        ),
    ]
    let coreBluetoothProducts: [Product] = [
        .library(name: "CoreBluetooth", targets: [module("AppleCoreBluetooth")]),
        .library(name: module("Testing"), targets: [module("AppleCoreBluetooth")]),
    ]
#endif

let package = Package(
    name: "bluethroat",
    // What the code uses of Swift's library: `Mutex` and `Atomic` are there from these versions on. Linux alone is tested.
    platforms: [.macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    // Whoever names a type has to import its module, and can import what a product has: all modules that the public
    // interface of a product is written with are products, too.
    //
    // These are offered on Apple's systems as well: they are Swift and nothing of any system, and a test holds them to that.
    products: [
        library("ByteCoding"),
        library("VirtualTime"),
        library("BluetoothValues"),
        library("HCI"),
        library("AirPackets"),
        library("BluetoothCrypto"),
        library("RadioMedium"),
        library("Host"),
        library("LinkLayer"),
        library("Simulation"),
        library("Ranks"),
        library("PhoneService"),
        library("KeyFob"),
        library("OverflowAnalyser"),
    ] + coreBluetoothProducts,
    traits: [
        .trait(
            name: "Command",
            description: "The command bluethroat: its arguments, its control panel, its files of bonds.",
            enabledTraits: ["Studies"]
        ),
        .trait(
            name: "Studies",
            description: "Files that describe studies: YAML.",
            // Of any devices, MoneyDrop's phones and their bank among them.
            enabledTraits: ["Database", "HTTP"]
        ),
        .trait(name: "Database", description: "Bonds that survive a restart, and MoneyDrop's bank: SQLite."),
        .trait(
            name: "HTTP",
            description: "Servers of HTTP: the control panel and MoneyDrop's bank.",
            // The bank checks signatures with it.
            enabledTraits: ["Ports", "SwiftCrypto"]
        ),
        .trait(name: "MPI", description: "One world on many machines: ranks that are processes, over Open MPI."),
        .trait(name: "Ports", description: "Ports at which hosts find controllers."),
        .trait(
            name: "SwiftCrypto",
            description: "Cryptography by swift-crypto instead of the system's OpenSSL, and the apps that need it."
        ),
        .default(enabledTraits: ["Command", "SwiftCrypto"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The ground.
        layer("ByteCoding"),
        layer("VirtualTime"),
        layer("BluetoothValues", on: ["ByteCoding", "VirtualTime"]),

        // OpenSSL, for whoever does without swift-crypto: its header is read by nobody else.
        .systemLibrary(name: "LibCrypto"),

        // Packets and mathematics.
        layer("HCI", on: ["BluetoothValues", "ByteCoding", "VirtualTime"]),
        // Packets as trees of named fields, from the descriptions that the packets carry.
        layer("Dissection", on: ["HCI", "AirPackets", "Host", "BluetoothValues", "ByteCoding"]),
        layer("AirPackets", on: ["BluetoothValues", "ByteCoding", "VirtualTime"]),
        layer(
            "BluetoothCrypto",
            on: ["BluetoothValues", "ByteCoding", "LibCrypto"] + cryptography
        ),

        // Machines.
        layer("RadioMedium", on: ["BluetoothValues", "VirtualTime"]),
        layer(
            "LinkLayer",
            on: [
                "HCI", "AirPackets", "BluetoothCrypto", "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime",
                deque,
            ]
        ),
        layer("Host", on: ["HCI", "BluetoothCrypto", "BluetoothValues", "ByteCoding", "VirtualTime"]),

        // Worlds and what lives in them.
        layer(
            "Simulation",
            on: [
                "RadioMedium", "LinkLayer", "Host", "HCI", "AirPackets", "BluetoothValues", "ByteCoding", "VirtualTime",
                deque,
            ]
        ),
        // One world in several parts, and how the ranks that have them talk to each other.
        layer(
            "Ranks",
            on: ["Simulation", "AirPackets", "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime"]
        ),
        // Threads that are ranks, and what is shared out among ranks.
        layer("RankGroups", on: ["Ranks"]),
        // Processes that are ranks: Open MPI, for whoever asks for the trait; without it nothing is in these, and mpi.h
        // need not be there.
        .systemLibrary(name: "COpenMPI", pkgConfig: "ompi-c", providers: [.apt(["libopenmpi-dev"])]),
        .target(
            name: "MPIShim",
            dependencies: [.byName(name: "COpenMPI", condition: .when(traits: ["MPI"]))],
            cSettings: [.define("BLUETHROAT_MPI", .when(traits: ["MPI"]))]
        ),
        layer("MPIRanks", on: ["Ranks", .byName(name: "MPIShim", condition: .when(traits: ["MPI"]))]),
        // A world to be tried on any number of ranks.
        layer(
            "RankTowns",
            on: ["Ranks", "RankGroups", "Simulation", "Host", "RadioMedium", "BluetoothValues", "VirtualTime"]
        ),
        .executableTarget(
            name: "rank-town",
            dependencies: ["RankTowns", "Ranks", "RankGroups", "MPIRanks", "Simulation", "VirtualTime"],
            swiftSettings: settings
        ),
        tests(
            of: "Ranks",
            with: [
                "RankTowns", "RankGroups", "Simulation", "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        layer("KeyFob", on: ["Host", "BluetoothValues", "VirtualTime"]),

        // Learns from advertisements how services become bits; it knows nobody who knows that.
        layer("OverflowAnalyser"),

        // Events and failures, as people and programs read them.
        layer("Events", on: ["ByteCoding", "VirtualTime"]),

        // What apps ask of their surroundings besides Bluetooth.
        layer("AppEnvironment"),

        // Files that hold secrets.
        layer("PrivateFiles"),
        tests(of: "PrivateFiles"),
        layer("PrivateDatabase", on: ["PrivateFiles", database, sqlite]),
        tests(of: "PrivateDatabase", with: ["PrivateFiles", database, sqlite]),

        // What MoneyDrop and its bank agree on, and the bank.
        layer("MoneyTerms", on: ["ByteCoding", crypto]),
        layer(
            "MoneyBank",
            on: [
                "MoneyTerms", "AppEnvironment", "PrivateDatabase", "PrivateFiles", "HTTPServing", "HTTPAsking",
                "Listening",
                "ByteCoding", "VirtualTime", crypto, database,
            ]
        ),
        tests(
            of: "MoneyBank",
            with: [
                "MoneyTerms", "PrivateFiles", "HTTPServing", "HTTPAsking", "Listening", database,
            ]
        ),

        // What apps are told by their phone.
        layer("PhoneService", on: ["Host", "BluetoothValues", "ByteCoding", "VirtualTime", deque]),
        tests(of: "PhoneService", with: ["Host", "HCI", "BluetoothValues", "ByteCoding", "VirtualTime"]),

        // The edges: threads, sockets, terminals.
        layer(
            "LiveLoop",
            on: [
                "PrivateFiles", "Simulation", "Host", "RadioMedium", "BluetoothCrypto", "BluetoothValues",
                "VirtualTime",
            ]
        ),
        // Every listening socket: how many connections, and how long each may take. Then HTTP on it.
        layer("Listening", on: [nio, sockets, locks]),
        layer("HTTPServing", on: ["Listening", nio, http]),
        // Questions over HTTP, to servers that may be anybody.
        layer("HTTPAsking", on: [nio, sockets, http, tls]),
        // Links to controllers and hosts, and, with Listening, the port at which hosts find controllers.
        layer("HCITransports", on: ["HCI", deque]),
        layer("HCIServing", on: ["HCITransports", "Listening", nio]),
        layer(
            "BondDatabase",
            on: [
                "Events", "PrivateDatabase", "PrivateFiles", "Host", "BluetoothCrypto", "BluetoothValues", "ByteCoding",
                database,
            ]
        ),
        layer(
            "Workbench",
            on: [
                "KeyFob", "Simulation", "Host", "LinkLayer", "AirPackets", "RadioMedium", "BluetoothValues",
                "ByteCoding", "VirtualTime", deque,
            ]
        ),
        layer("AttributeText", on: ["BluetoothValues", "ByteCoding"]),
        .target(
            name: "ControlPanel",
            dependencies: [
                "Workbench", "AttributeText", "LiveLoop", "KeyFob", "Simulation", "Host", "AirPackets", "RadioMedium",
                "BluetoothValues", "ByteCoding", "VirtualTime", "HTTPServing", "Listening",
            ],
            resources: [.copy("Pages")],
            swiftSettings: settings
        ),
        layer("KeyFobConsole", on: ["Events", "KeyFob", "Host", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        // A world in a live loop: captures, hosts from outside, controllers elsewhere.
        layer(
            "LiveWorld",
            on: [
                "LiveLoop", "HCITransports", "Simulation", "LinkLayer", "BluetoothCrypto", "VirtualTime",
            ]
        ),
        // A central that does one thing after the other, on any controller.
        layer(
            "Central",
            on: [
                "Events", "LiveWorld", "BondDatabase", "PrivateFiles", "KeyFobConsole", "KeyFob",
                "AttributeText", "LiveLoop", "HCITransports", "Simulation", "Host", "BluetoothCrypto",
                "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        // Saves bonds until it is killed; a test holds the database to what this one was promised.
        .executableTarget(
            name: "bond-writer",
            dependencies: ["BondDatabase", "Host", "BluetoothCrypto", "BluetoothValues"],
            swiftSettings: settings
        ),

        // Lives of small worlds, recorded and compared with what was recorded.
        layer("SceneRecords", on: ["Simulation", "VirtualTime"]),

        // The same seed prints the same line in every process; a test holds it to that.
        .executableTarget(
            name: "trace-digest",
            dependencies: [
                "SceneRecords", "KeyFob", "Simulation", "Host", "HCI", "LinkLayer", "AirPackets", "RadioMedium",
                "BluetoothValues", "VirtualTime",
            ],
            swiftSettings: settings
        ),

        // What our cryptography makes of other people's input; a test asks it what Bumble was asked.
        .executableTarget(
            name: "crypto-answers",
            dependencies: ["BluetoothCrypto", "BluetoothValues", "ByteCoding"],
            swiftSettings: settings
        ),

        // Our host as a device that pairs in any way there is; tests put strangers in front of it.
        .executableTarget(
            name: "pairing-peer",
            dependencies: [
                "Events", "KeyFobConsole", "LiveLoop", "HCITransports", "Host", "BluetoothCrypto",
                "BluetoothValues", "ByteCoding", "VirtualTime",
            ],
            swiftSettings: settings
        ),

        tests(of: "ByteCoding"),
        tests(of: "VirtualTime"),
        tests(of: "BluetoothValues", with: ["ByteCoding", "VirtualTime"]),
        tests(of: "HCI", with: ["BluetoothValues", "ByteCoding", "VirtualTime"], resources: [.copy("Vectors")]),
        tests(of: "AirPackets", with: ["BluetoothValues", "ByteCoding", "VirtualTime"]),
        tests(
            of: "Dissection",
            with: [
                "Simulation", "Host", "LinkLayer", "HCI", "AirPackets", "RadioMedium", "BluetoothCrypto",
                "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        tests(
            of: "BluetoothCrypto",
            with: ["crypto-answers", "BluetoothValues", "ByteCoding", "VirtualTime"],
            resources: [.copy("Vectors")]
        ),
        tests(of: "RadioMedium", with: ["BluetoothValues", "VirtualTime"]),
        tests(
            of: "LinkLayer",
            with: [
                "HCI", "AirPackets", "BluetoothCrypto", "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        tests(of: "Host", with: ["HCI", "BluetoothCrypto", "BluetoothValues", "ByteCoding", "VirtualTime"]),
        tests(
            of: "Simulation",
            with: [
                "trace-digest", "RecordedPrograms", "Host", "LinkLayer", "HCI", "AirPackets", "BluetoothCrypto",
                "RadioMedium", "KeyFob",
                "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        tests(
            of: "KeyFob",
            with: [
                "Host", "HCI", "Simulation", "LinkLayer", "RadioMedium", "BluetoothValues", "ByteCoding", "VirtualTime",
            ]
        ),
        tests(of: "KeyFobConsole", with: ["Events", "KeyFob", "Central", "Host", "BluetoothValues", "VirtualTime"]),
        tests(of: "AttributeText", with: ["BluetoothValues", "ByteCoding"]),
        tests(of: "OverflowAnalyser"),
        tests(of: "LiveLoop", with: ["Simulation", "VirtualTime"]),
        // Programs of the build, run by tests in a process of their own.
        .target(name: "RecordedPrograms", path: "Tests/RecordedPrograms", swiftSettings: settings),
        // Clients that send what they like.
        .target(name: "RawPeers", path: "Tests/RawPeers", swiftSettings: settings),
        tests(of: "Listening", with: ["RawPeers", nio]),
        tests(of: "HTTPServing", with: ["Listening", "RawPeers", nio, embedded]),
        tests(of: "HTTPAsking", with: ["Listening", nio, embedded, tls]),
        tests(
            of: "HCITransports",
            with: ["HCIServing", "HCI", "Listening", "RawPeers", nio]
        ),
        tests(
            of: "Workbench",
            with: [
                "KeyFob", "Simulation", "Host", "LinkLayer", "RadioMedium", "AirPackets", "BluetoothValues",
                "VirtualTime",
            ]
        ),
        tests(
            of: "ControlPanel",
            with: [
                "Workbench", "KeyFob", "Simulation", "Host", "LinkLayer", "LiveLoop", "RadioMedium", "BluetoothValues",
                "VirtualTime", "HTTPServing", "Listening", "RawPeers",
            ]
        ),
        tests(
            of: "BondDatabase",
            with: [
                "bond-writer", "PrivateFiles", "Host", "BluetoothCrypto", "BluetoothValues",
                database,
            ]
        ),
    ] + coreBluetooth
)

// Worlds that are fuzzed take their choices from it, in the tests and in the package in `Fuzzing`.
package.targets.append(
    .target(name: "FuzzInputs", dependencies: ["VirtualTime"], path: "Tests/FuzzInputs", swiftSettings: settings)
)
// How `Scripts/fuzz-coverage` builds: with coverage of the stack, or with coverage of the apps and what is around them.
if let group = Context.environment["BLUETHROAT_FUZZING"] {
    let stack = [
        "ByteCoding", "VirtualTime", "BluetoothValues", "AttributeText", "HCI", "AirPackets", "BluetoothCrypto",
        "LinkLayer", "Host", "PhoneService", "Dissection", "Ranks", "KeyFob",
    ]
    let apps = [
        "AppEnvironment", "WorkstationLogin", "OverflowArea", "PeripheralFutures", "MoneyTerms", "MoneyDrop",
        "MoneyBank",
        "BondDatabase", "ControlPanel", "Listening", "HTTPServing", "HTTPAsking", "Central", "KeyFobConsole",
        "LivePhones", "Studies", "DeviceStudy", "PeripheralApps",
    ]
    // Worlds that apps run in, and which nothing counts the coverage of.
    let worlds = ["RadioMedium", "Simulation", "Phones", "Testing", "Events"]
    package.products += (["FuzzInputs"] + stack + apps + worlds).map(module).filter { name in
        !package.products.contains { $0.name == name }
    }
    .map { .library(name: $0, targets: [$0]) }
    let coverage = SwiftSetting.unsafeFlags([
        "-Xfrontend", "-sanitize=\(Context.environment["BLUETHROAT_SANITIZERS"] ?? "fuzzer")", "-Xfrontend",
        "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp",
    ])
    for target in package.targets where (group == "apps" ? apps : stack).contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [coverage]
    }
}

// What `make docs` needs and nobody else: without the variable no package resolves it.
if Context.environment["BLUETHROAT_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

package.targets.forEach(settle)

// The modules' names until version 0.2, for whoever asks for them: a package of others could have no module with one of
// these names, if they were always there. docs/old-names.md
if Context.environment["BLUETHROAT_OLD_NAMES"] != nil {
    let renamed = ["AppTime": "AppEnvironment", "Stage": "Workbench"]
    let kept = [
        "VirtualTime", "BluetoothValues", "RadioMedium", "Host", "LinkLayer", "Simulation", "KeyFob",
        "KeyFobPhone", "OverflowArea", "OverflowAnalyser", "OverflowStudy", "WorkstationLogin", "HCITransports",
        "MoneyBank", "MoneyDrop", "LivePhones", "PersistentBonds", "Phones", "PeripheralFutures",
        "PhoneService", "ControlPanel",
    ]
    for old in kept + renamed.keys.sorted() {
        let target = Target.target(
            name: old,
            dependencies: [.byName(name: module(renamed[old] ?? old))],
            path: "Sources/OldNames/\(old)",
            swiftSettings: settings
        )
        package.targets.append(target)
        package.products.append(.library(name: old, targets: [old]))
    }
}
