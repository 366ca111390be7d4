import BluethroatVirtualTime

/// The fob's view of its battery: a converter that counts, a formula, and a level that only goes down.
struct BatteryGauge: Sendable {
    /// What the converter says: a third of the supply against 1.25 V, 511 at 3.75 V and above.
    private(set) var count: Int
    /// What the fob reports, in per cent.
    private(set) var level: UInt8 = 100
    /// Of the custom service only: 4 discharging, 5 critical, replace.
    private(set) var state: UInt8 = 4

    let service: KeyFobOptions.BatteryService

    init(service: KeyFobOptions.BatteryService) {
        self.service = service
        count = Self.count(millivolts: 3_000)
    }

    /// The time between two checks.
    var checkPeriod: TimeSpan {
        switch service {
        case .assigned: .seconds(10)
        case .custom: .seconds(5)
        }
    }

    /// The same battery, of which nothing has been measured yet.
    var beforeMeasuring: Self {
        var gauge = Self(service: service)
        gauge.count = count
        return gauge
    }

    static func count(millivolts: Int) -> Int { min(max(millivolts, 0), 3_750) * 511 / 3_750 }

    /// The per cent that a formula makes of a count.
    static func percent(of count: Int, service: KeyFobOptions.BatteryService) -> UInt8 {
        switch service {
        case .assigned:
            if count >= 409 { return 100 }
            if count <= 273 { return 0 }
            return UInt8(((count - 273) * 25 + 33) / 34)
        case .custom:
            // Below 2 V the firmware's byte wraps round; such a level is above the last one and is ignored.
            return UInt8(truncatingIfNeeded: count * 375 / 511 - 200)
        }
    }

    mutating func supply(millivolts: Int) { count = Self.count(millivolts: millivolts) }

    /// Sets the voltage to the least that shows so many per cent.
    mutating func supply(percent: Int) {
        let wanted = UInt8(min(max(percent, 0), 100))
        count = (273...409).first { Self.percent(of: $0, service: service) >= wanted } ?? 409
    }

    /// Measures. True if the level has gone down.
    mutating func measure() -> Bool {
        let measured = Self.percent(of: count, service: service)
        defer { if service == .custom { state = level < 20 ? 5 : 4 } }
        guard measured < level else { return false }
        level = measured
        return true
    }
}
