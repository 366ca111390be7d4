import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatRanks
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
        /// Whether it is in this world, or in this part of it.
        let isOwn: Bool
        /// Where centrals find it; nil for kinds to which they do not connect.
        let address: DeviceAddress?
    }

    /// A device that is to be added: its number in its group, and what is drawn for it.
    struct Planned {
        let group: DeviceGroup
        let number: Int
        let walk: any Walk
        let random: SeededRandom
    }

    let plan: StudyPlan
    let settings: WorldSettings
    let world: World
    /// One rank's part of it, where several have the world together.
    private let part: WorldPart?
    /// From when it is measured.
    let start: Instant
    let end: Instant
    let ledger: AirLedger
    /// By their numbers; those of other ranks, too.
    private(set) var members: [Member] = []
    /// The same by the names of their groups.
    private(set) var membersByGroup: [String: [Member]] = [:]
    private var walkers: [(device: DeviceID, isOwn: Bool, walk: any Walk)] = []
    /// Where each device is.
    private var places: [Position] = []
    /// What apps have made.
    var apps: [AnyObject] = []
    var centrals: [CentralApp] = []
    /// How many key fobs there are so far, whatever their groups are: each has an address of its own.
    private(set) var keyFobCount = 0
    var tasks: [PhoneTask] = []
    /// Those on which apps run that need them.
    var phones: [Phone] = []
    /// Of all who pay and are paid.
    private(set) lazy var bank = StudyBank(seed: world.seed)
    /// Who may log in, at any desk.
    private(set) lazy var users = makeUsers()
    var receptions: [DeviceID: DeskReception] = [:]
    let postbox = Postbox()

    /// - Parameter ranks: who has the world together; nil for a world that is not divided.
    init(_ plan: StudyPlan, _ settings: WorldSettings, seed: UInt64, dividedAmong ranks: (any Ranks)? = nil) {
        self.plan = plan
        self.settings = settings
        let air = Propagation(
            lossAtOneMetre: Int64((settings.number("air.loss-at-1m") * 100).rounded()),
            exponentTenths: Int64((settings.number("air.exponent") * 10).rounded()),
            shadowing: Int64((settings.number("air.shadowing") * 100).rounded()),
            sensitivity: SignalStrength(dBm: Int8(settings.number("air.sensitivity"))),
            captureThreshold: settings.whole("air.capture")
        )
        let mode = AirMode(rawValue: settings.word("air.mode")) ?? .exact
        part = ranks.map { ranks in
            // Apps on phones send with 0 dBm at most.
            let loudest = plan.groups.map { Self.power(of: $0, settings) }.max() ?? 0
            return WorldPart(
                seed: seed,
                propagation: air,
                ranks: ranks,
                air: mode,
                loudest: SignalStrength(dBm: Int8(max(0, loudest)))
            )
        }
        world = part?.world ?? World(seed: seed, propagation: air, air: mode)
        start = .zero + Self.span(settings.number("warmup"))
        end = start + Self.span(settings.number("length"))
        ledger = AirLedger(
            from: start,
            keepsRadioTimes: plan.measures.contains(.energy),
            isOfPart: part != nil
        )
        if let loss = Ratio(partsPerMillion: Int32((settings.number("air.loss") * 1e6).rounded())) {
            world.setLossEverywhere(loss)
        }
        // Before the devices, so that their first packets are seen.
        world.tap = ledger
        // Who goes to others comes last: they are told who these are.
        let groups = plan.groups.filter { $0.kind.peers == nil } + plan.groups.filter { $0.kind.peers != nil }
        let planned = groups.flatMap(planned)
        let owners = ranks.map { self.owners(of: planned, ranks: $0.count) }
        for (number, device) in planned.enumerated() {
            add(device, isOwn: owners.map { Int($0[number]) == ranks?.rank } ?? true)
        }
        ledger.complete()
    }

    private var hasBank: Bool { plan.groups.contains { $0.kind == .moneydrop || $0.kind == .moneydropPayer } }

    static func span(_ seconds: Double) -> TimeSpan { TimeSpan.seconds(approximating: seconds) ?? .zero }

    /// When everybody walks on: each second, and as it begins to be measured and ends.
    static func nextStep(after now: Instant, start: Instant, end: Instant) -> Instant {
        min(now < start ? start : end, now + .seconds(1))
    }

    /// Runs to the end. Nil if `goesOn` has said no.
    ///
    /// - Throws: `WorldStalled`, or `RankFailure`.
    func run(_ goesOn: (_ share: Double) -> Bool) throws -> WorldOutcome? {
        lookAround()
        var collisions = 0
        while world.now < end {
            let isWanted = goesOn(world.now.sinceStart.inSeconds / end.sinceStart.inSeconds)
            guard try part?.ranks.all(isWanted) ?? isWanted else { return nil }
            let now = world.now
            if hasBank { bank.follow(now) }
            let next = Self.nextStep(after: now, start: start, end: end)
            if let part { try part.run(until: next) } else { world.run(until: next) }
            if world.stall != nil { throw WorldStalled(seed: world.seed) }
            let passed = (world.now - now).inSeconds
            for index in walkers.indices { walk(index, for: passed) }
            if now >= start {
                ledger.pass(passed)
            } else if world.now == start {
                collisions = world.collisions.receptions
            }
            if !walkers.isEmpty || world.now == start { lookAround() }
        }
        if start == .zero { collisions = 0 }
        ledger.finish()
        var found = findings(lost: world.collisions.receptions - collisions)
        if let part { found = try found.joined(part) }
        return WorldOutcome(
            values: plan.measures.flatMap { $0.values(of: found) },
            transmissions: found.counts.transmissions,
            digest: found.digest
        )
    }

    private func walk(_ index: Int, for seconds: Double) {
        walkers[index].walk.walk(for: seconds)
        let (id, place) = (walkers[index].device, walkers[index].walk.position)
        places[Int(id.rawValue)] = place
        // Ranks know where everybody is, and move those whom they have.
        guard walkers[index].isOwn else { return }
        if let part { part.move(id, to: place) } else { world.move(id, to: place) }
    }

    // MARK: Devices

    private func planned(_ group: DeviceGroup) -> [Planned] {
        let count = settings.whole("\(group.name).count")
        return (0..<count).map { number in
            // A stream for each, so that the first devices of a larger group are those of a smaller one.
            var random = SeededRandom(
                seed: world.seed ^ Self.hash(group.name),
                device: UInt64(number),
                purpose: "device of a study"
            )
            let walk = makeWalk(group, number, count, &random)
            return Planned(group: group, number: number, walk: walk, random: random)
        }
    }

    private func add(_ planned: Planned, isOwn: Bool) {
        var random = planned.random
        let group = planned.group, place = planned.walk.position, number = UInt32(members.count)
        let address = nextAddress(of: group.kind)
        var id = DeviceID(rawValue: number)
        if isOwn, let part {
            id = part.add(number, at: place, listens: group.kind.seeks) { _ in
                addDevice(group, planned.number, at: place, &random)
            }
        } else if isOwn {
            id = addDevice(group, planned.number, at: place, &random)
        }
        if group.kind == .keyfob { keyFobCount += 1 }
        let member = Member(group: group, id: id, isOwn: isOwn, address: address)
        members.append(member)
        membersByGroup[group.name, default: []].append(member)
        places.append(place)
        let isPaired = plan.measuresPairs
        ledger.add(
            id,
            listens: isOwn && isPaired && group.kind.listens,
            advertises: isPaired && group.kind.advertises
        )
        if settings.word("\(group.name).walk") != "still" { walkers.append((id, isOwn, planned.walk)) }
    }

    /// The address that the device to be added next has or will have, on whichever rank it is; nil for kinds to which centrals
    /// do not connect.
    private func nextAddress(of kind: DeviceKind) -> DeviceAddress? {
        switch kind {
        case .keyfob: KeyFobDevice.address(number: keyFobCount)
        case .peripheral: world.defaultAddress(of: UInt32(members.count))
        default: nil
        }
    }

    /// Of a group's name, the same in every process.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    // MARK: Reach

    /// Finds out who is in reach of whom.
    private func lookAround() {
        guard !ledger.listeners.isEmpty, !ledger.advertisers.isEmpty else { return }
        let least = settings.whole("air.sensitivity")
        let powers = ledger.advertisers.map { Self.power(of: members[Int($0.rawValue)].group, settings) }
        for (listener, receiver) in ledger.listeners.enumerated() {
            for (advertiser, sender) in ledger.advertisers.enumerated() {
                let strength = world.strength(
                    from: (sender, places[Int(sender.rawValue)]),
                    at: (receiver, places[Int(receiver.rawValue)])
                )
                ledger.setReach(
                    strength + powers[advertiser] >= least,
                    listener: listener,
                    advertiser: advertiser,
                    at: world.now
                )
            }
        }
    }

    private static func power(of group: DeviceGroup, _ settings: WorldSettings) -> Int {
        switch group.kind {
        case .advertiser, .scanner, .peripheral, .central: settings.whole("\(group.name).power")
        default: DeviceKind.usualPower
        }
    }
}

/// A world in which time does not pass any more. It is a fault of ours.
struct WorldStalled: Error, CustomStringConvertible {
    let seed: UInt64

    var description: String { "the world with seed \(seed) has stalled; please report it with this file" }
}
