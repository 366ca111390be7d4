import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
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
    private var walkers: [Walker] = []
    /// What apps have made. Scanners are behind the phones among the devices.
    private var apps: [AnyObject] = []

    init(_ settings: CrowdSettings, seed: UInt64) {
        self.settings = settings
        world = World(seed: seed, air: settings.air)
        clock = .of(world)
        ledger = CrowdLedger(settings)
        for number in 0..<settings.phones { addPhone(number) }
        if !isConversation { for number in 0..<settings.scanners { addScanner(number) } }
        world.tap = ledger
        if !walkers.isEmpty, settings.speed > 0 { walkOn() }
    }

    /// Runs to the end, and says now and then how much of it is done, from 0 to 1. Nil if `goesOn` has said no, or if the
    /// world has stalled.
    func run(_ goesOn: (_ share: Double) -> Bool) -> CrowdResult? {
        let end = Instant.zero + settings.overture + settings.length
        while world.now < end {
            guard goesOn(world.now.sinceStart.inSeconds / end.sinceStart.inSeconds) else { return nil }
            world.run(until: min(end, world.now + .seconds(1)))
            if world.stall != nil { return nil }
        }
        var result = ledger.result
        for case let app as OverflowConversation in apps { result.changes += app.changeCount }
        result.transmissions = world.transmissionCount
        result.digest = world.digest.value
        return result
    }

    // MARK: Who is there

    private func addPhone(_ number: Int) {
        // A stream for each, so that the first hundred phones are the same in every crowd.
        var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "phone in a crowd")
        var place = Position(x: draw(&random), y: draw(&random))
        if isConversation, number % 2 == 1 {
            var partner = SeededRandom(seed: world.seed, device: UInt64(number - 1), purpose: "phone in a crowd")
            place = Position(x: draw(&partner) + 1_000, y: draw(&partner))
        }
        // What a conversation takes counts from its first frame; the others are under way when it is begun to listen.
        let begin = random.span(upTo: settings.overture - .seconds(1)) + (isConversation ? settings.overture : .zero)
        let phone = Phone(named: "phone \(number)", in: world, at: place, settings: phoneSettings)
        let frame = ledger.drawFrame(of: number, &random)
        let others = drawPollution(of: number, frame.positions) + drawForeignServices(of: number)
        let app = addBackgroundApp(to: phone)
        let other = others.isEmpty ? nil : addBackgroundApp(to: phone)
        world.schedule(at: world.now + begin) { [unowned self] _ in
            apps.append(app.run { isConversation ? makeTalker(number, app) : makeSender(of: frame) })
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

    private func makeTalker(_ number: Int, _ app: PhoneApp) -> OverflowConversation {
        var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "message")
        let own = UInt8(number % Conversation.phoneCount)
        let conversation = Conversation(own, with: own ^ 1, session: UInt8.random(in: 1...255, using: &random))
        let talker = OverflowConversation(conversation, clock: clock, surroundings: .of(app))
        talker.happened = { [ledger, world] event, _ in
            guard case .received(let message) = event else { return }
            ledger.got(message, scanner: UInt32(number), at: world.now)
        }
        talker.send(ledger.drawMessage(of: number, settings.deliverySize, &random))
        talker.start()
        return talker
    }

    private var isConversation: Bool { settings.sending == .conversation }

    private func addScanner(_ number: Int) {
        let seed = world.seed
        let walker = Walker(
            side: settings.sideMillimetres,
            speed: settings.speed,
            random: SeededRandom(seed: seed, device: UInt64(number), purpose: "walk")
        )
        walkers.append(walker)
        let phone = Phone(named: "scanner \(number)", in: world, at: walker.position)
        let device = UInt32(settings.phones + number)
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

    private func draw(_ random: inout SeededRandom) -> Int32 {
        Int32(random.next(below: UInt64(settings.sideMillimetres) + 1))
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
        world.schedule(at: world.now + .seconds(1)) { [unowned self] world in
            for number in walkers.indices {
                walkers[number].walk(for: 1)
                world.move(DeviceID(rawValue: UInt32(settings.phones + number)), to: walkers[number].position)
            }
            walkOn()
        }
    }
}
