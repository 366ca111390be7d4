// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because a module named `os` or `Combine` is seen by `canImport` in every package of a build:
// whoever depends on this wants that, and nobody else gets it.

let package = Package(
    name: "bluethroat-shims",
    products: [
        .library(name: "os", targets: ["os"]),
        .library(name: "Combine", targets: ["Combine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")
    ],
    targets: [
        .target(name: "OSHeaders"),
        .target(name: "os", dependencies: ["OSHeaders"], swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "Combine",
            dependencies: [
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .testTarget(name: "ShimTests", dependencies: ["os", "Combine"], swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
