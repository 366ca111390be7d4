import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import Foundation

/// One world of a study: its devices, who of them walks, and what is measured.
final class DeviceWorld {
    struct Member {
        let group: DeviceGroup
        let id: DeviceID
    }

    let plan: StudyPlan
    let settings: WorldSettings
    let world: World
    /// From when it is measured.
    let start: Instant
    private let end: Instant
    let ledger: AirLedger
    private(set) var members: [Member] = []
    private var walkers: [(device: DeviceID, walk: any Walk)] = []
    /// What apps have made.
    var apps: [AnyObject] = []
    var centrals: [CentralApp] = []
    var tasks: [PhoneTask] = []
    /// Those on which apps run that need them.
    var phones: [Phone] = []
    /// Of all who pay and are paid.
    private(set) lazy var bank = StudyBank(seed: world.seed)
    /// Who may log in, at any desk.
    private(set) lazy var users = makeUsers()
    var receptions: [DeviceID: DeskReception] = [:]
    let postbox = Postbox()

    init(_ plan: StudyPlan, _ settings: WorldSettings, seed: UInt64) {
        self.plan = plan
        self.settings = settings
        let air = Propagation(
            lossAtOneMetre: Int64((settings.number("air.loss-at-1m") * 100).rounded()),
            exponentTenths: Int64((settings.number("air.exponent") * 10).rounded()),
            shadowing: Int64((settings.number("air.shadowing") * 100).rounded()),
            sensitivity: SignalStrength(dBm: Int8(settings.number("air.sensitivity"))),
            captureThreshold: settings.whole("air.capture")
        )
        world = World(seed: seed, propagation: air, air: AirMode(rawValue: settings.word("air.mode")) ?? .exact)
        start = .zero + Self.span(settings.number("warmup"))
        end = start + Self.span(settings.number("length"))
        ledger = AirLedger(from: start, keepsRadioTimes: plan.measures.contains(.energy))
        if let loss = Ratio(partsPerMillion: Int32((settings.number("air.loss") * 1e6).rounded())) {
            world.setLossEverywhere(loss)
        }
        // Before the devices, so that their first packets are seen.
        world.tap = ledger
        // Who goes to others comes last: they are told who these are.
        for group in plan.groups where group.kind.peers == nil { add(group) }
        for group in plan.groups where group.kind.peers != nil { add(group) }
        ledger.complete()
    }

    private var hasBank: Bool { plan.groups.contains { $0.kind == .moneydrop || $0.kind == .moneydropPayer } }

    static func span(_ seconds: Double) -> TimeSpan { TimeSpan.seconds(approximating: seconds) ?? .zero }

    /// Runs to the end. Nil if `goesOn` has said no.
    func run(_ goesOn: (_ share: Double) -> Bool) throws(WorldStalled) -> WorldOutcome? {
        lookAround()
        var collisions = 0
        while world.now < end {
            guard goesOn(world.now.sinceStart.inSeconds / end.sinceStart.inSeconds) else { return nil }
            let now = world.now
            if hasBank { bank.follow(now) }
            world.run(until: min(now < start ? start : end, now + .seconds(1)))
            if world.stall != nil { throw WorldStalled(seed: world.seed) }
            let passed = (world.now - now).inSeconds
            for index in walkers.indices {
                walkers[index].walk.walk(for: passed)
                world.move(walkers[index].device, to: walkers[index].walk.position)
            }
            if now >= start {
                ledger.pass(passed)
            } else if world.now == start {
                collisions = world.collisions.receptions
            }
            if !walkers.isEmpty || world.now == start { lookAround() }
        }
        if start == .zero { collisions = 0 }
        ledger.finish()
        return WorldOutcome(
            values: plan.measures.flatMap { $0.values(in: self, lost: world.collisions.receptions - collisions) },
            transmissions: world.transmissionCount,
            digest: world.digest.value
        )
    }

    // MARK: Devices

    private func add(_ group: DeviceGroup) {
        let count = settings.whole("\(group.name).count")
        for number in 0..<count {
            // A stream for each, so that the first devices of a larger group are those of a smaller one.
            var random = SeededRandom(
                seed: world.seed ^ Self.hash(group.name),
                device: UInt64(number),
                purpose: "device of a study"
            )
            let walk = makeWalk(group, number, count, &random)
            let id = addDevice(group, number, at: walk.position, &random)
            members.append(Member(group: group, id: id))
            let isPaired = plan.measuresPairs
            ledger.add(id, listens: isPaired && group.kind.listens, advertises: isPaired && group.kind.advertises)
            if settings.word("\(group.name).walk") != "still" { walkers.append((id, walk)) }
        }
    }

    private func makeWalk(_ group: DeviceGroup, _ number: Int, _ count: Int, _ random: inout SeededRandom) -> any Walk {
        let name = group.name
        let width = Self.millimetres(settings.number("area.width"))
        let height = Self.millimetres(settings.number("area.height")), speed = settings.number("\(name).speed")
        let walkRandom = SeededRandom(seed: random.next(), purpose: "walk")
        switch settings.word("\(name).walk") {
        case "waypoint": return Walker(width: width, height: height, speed: speed, random: walkRandom)
        case "streets":
            let block = Self.millimetres(settings.number("\(name).block"))
            return StreetWalker(width: width, height: height, block: block, speed: speed, random: walkRandom)
        case "trace": return TraceWalker(plan.traces[settings.word("\(name).trace")]?.ways[number] ?? [])
        default: return Standing(at: place(group, number, count, &random))
        }
    }

    /// Where a device is that does not walk.
    private func place(_ group: DeviceGroup, _ number: Int, _ count: Int, _ random: inout SeededRandom) -> Position {
        let x = settings.number("\(group.name).x"), y = settings.number("\(group.name).y")
        let distance = settings.number("\(group.name).distance")
        let width = Self.millimetres(settings.number("area.width")),
            height = Self.millimetres(settings.number("area.height"))
        switch settings.word("\(group.name).place") {
        case "at": return .metres(x: x, y: y)
        case "line": return .metres(x: x + distance * Double(number), y: y)
        case "circle":
            let angle = 2 * Double.pi * Double(number) / Double(max(1, count))
            return .metres(x: x + distance * cos(angle), y: y + distance * sin(angle))
        case "grid":
            let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
            return .metres(x: x + distance * Double(number % columns), y: y + distance * Double(number / columns))
        default:
            return Position(
                x: Int32(clamping: Int64(random.next(below: UInt64(width) + 1))),
                y: Int32(clamping: Int64(random.next(below: UInt64(height) + 1)))
            )
        }
    }

    private static func millimetres(_ metres: Double) -> Int64 { max(0, Int64((metres * 1_000).rounded())) }

    /// Of a group's name, the same in every process.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    // MARK: Reach

    /// Finds out who is in reach of whom.
    private func lookAround() {
        guard !ledger.listeners.isEmpty, !ledger.advertisers.isEmpty else { return }
        let least = settings.whole("air.sensitivity")
        let powers = Dictionary(uniqueKeysWithValues: members.map { ($0.id.rawValue, power(of: $0.group)) })
        for (listener, receiver) in ledger.listeners.enumerated() {
            for (advertiser, sender) in ledger.advertisers.enumerated() {
                let strength = (world.strength(from: sender, at: receiver) ?? -200) + (powers[sender.rawValue] ?? 0)
                ledger.setReach(strength >= least, listener: listener, advertiser: advertiser, at: world.now)
            }
        }
    }

    private func power(of group: DeviceGroup) -> Int {
        switch group.kind {
        case .advertiser, .scanner, .peripheral, .central: settings.whole("\(group.name).power")
        default: 0
        }
    }
}

/// A world in which time does not pass any more. It is a fault of ours.
struct WorldStalled: Error, CustomStringConvertible {
    let seed: UInt64

    var description: String { "the world with seed \(seed) has stalled; please report it with this file" }
}
