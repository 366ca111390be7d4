import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatRanks
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import CoreBluetooth

/// One world of a study: every phone in it is a phone, with apps that know nothing but CoreBluetooth, and a controller and
/// a host below them.
final class CrowdWorld {
    private let settings: CrowdSettings
    private let world: World
    private let clock: AppClock
    private let ledger: CrowdLedger
    /// One rank's part of it, where several have the world together.
    private let part: WorldPart?
    /// The rank that has each device, if there are several.
    private let owners: [UInt32]
    private var walkers: [(walker: Walker, device: DeviceID)] = []
    /// What apps have made. Scanners are behind the phones among the devices.
    private var apps: [AnyObject] = []

    /// - Parameter ranks: who has the world together; nil for a world that is not divided.
    init(_ settings: CrowdSettings, seed: UInt64, dividedAmong ranks: (any Ranks)? = nil) {
        self.settings = settings
        part = ranks.map { WorldPart(seed: seed, ranks: $0, air: settings.air) }
        owners = ranks.map { settings.regions(seed: seed, ranks: $0.count).owners } ?? []
        world = part?.world ?? World(seed: seed, air: settings.air)
        clock = .of(world)
        ledger = CrowdLedger(settings)
        for number in 0..<settings.phones { addPhone(number) }
        if !isConversation { for number in 0..<settings.scanners { addScanner(number) } }
        world.tap = ledger
        if !walkers.isEmpty, settings.speed > 0 { walkOn() }
    }

    /// Runs to the end, and says now and then how much of it is done, from 0 to 1. Nil if `goesOn` has said no, or if the
    /// world has stalled.
    func run(_ goesOn: (_ share: Double) -> Bool) throws(RankFailure) -> CrowdResult? {
        let end = Instant.zero + settings.overture + settings.length
        while world.now < end {
            let isWanted = goesOn(world.now.sinceStart.inSeconds / end.sinceStart.inSeconds)
            guard try part?.ranks.all(isWanted) ?? isWanted else { return nil }
            let next = min(end, world.now + .seconds(1))
            if let part { try part.run(until: next) } else { world.run(until: next) }
            if world.stall != nil { return nil }
        }
        var result = ledger.result
        for case let app as OverflowConversation in apps { result.changes += app.changeCount }
        result.transmissions = world.transmissionCount
        result.digest = world.digest.value
        if let part { result = try result.joined(part) }
        return result
    }

    // MARK: Who is there

    private func addPhone(_ number: Int) {
        var (place, random) = settings.place(of: number, seed: world.seed)
        // What a conversation takes counts from its first frame; the others are under way when it is begun to listen.
        let begin = random.span(upTo: settings.overture - .seconds(1)) + (isConversation ? settings.overture : .zero)
        // Every rank knows what every phone sends.
        let frame = ledger.drawFrame(of: number, &random)
        let talk = isConversation ? drawTalk(of: number) : nil
        guard owns(number) else { return }
        let phone = add(number, at: place, listens: isConversation) {
            Phone(named: "phone \(number)", in: $0, at: place, settings: phoneSettings)
        }
        let others = drawPollution(of: number, frame.positions) + drawForeignServices(of: number)
        let app = addBackgroundApp(to: phone)
        let other = others.isEmpty ? nil : addBackgroundApp(to: phone)
        world.schedule(at: world.now + begin) { [unowned self] _ in
            apps.append(app.run { talk.map { makeTalker(number, $0, app) } ?? makeSender(of: frame) })
            if let other { apps.append(other.run { ServicesApp(others) }) }
        }
    }

    /// An app with a code word that stays, or the sender of the demonstration.
    private func makeSender(of frame: BeaconFrame) -> AnyObject {
        if let mask = settings.code?.mask(of: frame.payload, matchingByte: frame.matchingByte) {
            ledger.changed()
            return ServicesApp(mask.services)
        }
        let manager = BackgroundBeaconManager(clock: clock)
        manager.changed = { [ledger] in ledger.changed() }
        manager.rotationPeriodSecs = settings.rotation.inSeconds
        manager.startAdvertising(beaconBytes: frame.payload)
        return manager
    }

    /// What a phone has to say.
    private struct Talk {
        let session: UInt8
        let message: [UInt8]
    }

    private func drawTalk(of number: Int) -> Talk {
        var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "message")
        let session = UInt8.random(in: 1...255, using: &random)
        return Talk(session: session, message: ledger.drawMessage(of: number, settings.deliverySize, &random))
    }

    private func makeTalker(_ number: Int, _ talk: Talk, _ app: PhoneApp) -> OverflowConversation {
        let own = UInt8(number % Conversation.phoneCount)
        let conversation = Conversation(own, with: own ^ 1, session: talk.session)
        let talker = OverflowConversation(conversation, clock: clock, surroundings: .of(app))
        talker.happened = { [ledger, world] event, _ in
            guard case .received(let message) = event else { return }
            ledger.got(message, scanner: UInt32(number), at: world.now)
        }
        talker.send(talk.message)
        talker.start()
        return talker
    }

    private var isConversation: Bool { settings.sending == .conversation }

    private func addScanner(_ number: Int) {
        let seed = world.seed
        guard owns(settings.phones + number) else { return }
        let walker = Walker(settings, number: number, seed: seed)
        let device = UInt32(settings.phones + number)
        let phone = add(settings.phones + number, at: walker.position, listens: true) {
            Phone(named: "scanner \(number)", in: $0, at: walker.position)
        }
        walkers.append((walker, phone.device))
        let app = phone.addApp()
        world.schedule(at: world.now + settings.overture) { [unowned self] _ in
            let listener = app.run {
                ListeningApp(payloadSize: CrowdSettings.payloadSize, code: settings.code) { [ledger, world] payload in
                    ledger.got(payload, scanner: device, at: world.now)
                }
            }
            apps.append(listener)
        }
    }

    private var phoneSettings: PhoneSettings {
        var phone = PhoneSettings()
        phone.backgroundAdvertisingInterval = settings.interval
        phone.systemVersion = settings.systemVersion
        return phone
    }

    /// One that has been sent to the background and stays awake there, as such apps see to.
    private func addBackgroundApp(to phone: Phone) -> PhoneApp {
        let app = phone.addApp(
            backgroundModes: isConversation ? [.bluetoothCentral, .bluetoothPeripheral] : .bluetoothPeripheral
        )
        app.rangesBeacons = true
        app.enterBackground()
        return app
    }

    /// Whether the device with this number is in this world, or in this part of it.
    private func owns(_ number: Int) -> Bool { part.map { owners[number] == UInt32($0.ranks.rank) } ?? true }

    private func add(_ number: Int, at place: Position, listens: Bool, _ make: (World) -> Phone) -> Phone {
        guard let part else { return make(world) }
        var phone: Phone?
        part.add(UInt32(number), at: place, listens: listens) { world in
            let made = make(world)
            phone = made
            return made.device
        }
        guard let phone else { preconditionFailure("no phone was made") }
        return phone
    }

    /// Services of other apps, each with a bit among those that are looked at in a bank.
    private func drawPollution(of number: Int, _ positions: BeaconFrame.Positions) -> [CBUUID] {
        var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "services of others")
        // A bank that is polluted stays it where more of them are.
        let levels = positions.starts.map { _ in random.next(below: 1_000_000) }
        return zip(positions.starts, levels).compactMap { start, level in
            guard level < UInt64(settings.pollution.partsPerMillion) else { return nil }
            let bits = (8 * start)..<(8 * (start + 1 + CrowdSettings.payloadSize))
            while true {
                let service = CBUUID(data: Data(random.bytes(16)))
                if bits.contains(OverflowBit(of: service).index) { return service }
            }
        }
    }

    /// Services of another app, each with another bit.
    private func drawForeignServices(of number: Int) -> [CBUUID] {
        var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "foreign bits")
        var services: [CBUUID] = []
        var mask = OverflowMask()
        while services.count < settings.foreignBits {
            let service = CBUUID(data: Data(random.bytes(16)))
            let bit = OverflowBit(of: service)
            guard !mask.contains(bit) else { continue }
            mask.insert(bit)
            services.append(service)
        }
        return services
    }

    // MARK: Walking

    private func walkOn() {
        // Ranks hear of a move in time if it is shorter than `WorldPart.longestStep`.
        let step: Double = part != nil && settings.speed > WorldPart.fastestWalk ? 0.25 : 1
        world.schedule(at: world.now + .milliseconds(Int64(step * 1_000))) { [unowned self] world in
            for number in walkers.indices {
                walkers[number].walker.walk(for: step)
                let (device, place) = (walkers[number].device, walkers[number].walker.position)
                if let part { part.move(device, to: place) } else { world.move(device, to: place) }
            }
            walkOn()
        }
    }
}
