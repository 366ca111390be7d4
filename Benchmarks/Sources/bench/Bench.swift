/// One thing that is measured.
struct Bench {
    /// Dots part what is measured from how much of it: `read.244`.
    let name: String
    let unit: String
    /// Whether less is better, as with memory.
    let isBetterLow: Bool
    let target: Target?
    /// Whether it wants a process of its own, in which nothing has been allocated and freed before.
    let needsFreshProcess: Bool
    let measure: (Effort) throws -> Double

    init(
        _ name: String,
        _ unit: String,
        isBetterLow: Bool = false,
        target: Target? = nil,
        needsFreshProcess: Bool = false,
        measure: @escaping (Effort) throws -> Double
    ) {
        self.name = name
        self.unit = unit
        self.isBetterLow = isBetterLow
        self.target = target
        self.needsFreshProcess = needsFreshProcess
        self.measure = measure
    }

    /// Whether somebody who asks for `wanted` gets this: `read` stands for `read.20` and `read.244`.
    func isCalled(_ wanted: String) -> Bool { name == wanted || name.hasPrefix(wanted + ".") }

    static var all: [Bench] {
        ValueBenches.all + DiscoveryBenches.all + PairingBenches.all + GoodputBenches.all + FacadeBenches.all
            + FutureBenches.all
            + CrowdBenches.all + MemoryBenches.all
    }

    /// Those that bumble_pair.py has, too.
    var isBumbles: Bool {
        [
            "read", "notification", "writeCommand", "encryptedNotification", "discovery", "connectDiscoverDisconnect",
            "pairing", "memoryPerPair",
        ]
        .contains { isCalled($0) }
    }
}

/// What a figure should be.
enum Target {
    case timesBumble(Double)
    case atLeast(Double)
    case below(Double)
}
