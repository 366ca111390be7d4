import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Two devices, connected on the air, and the people beside them.
struct PairingScene {
    let world: World
    let central = PairingDevice()
    let peripheral = PairingDevice()
    let centralID: DeviceID
    let peripheralID: DeviceID

    init(
        central centralSettings: PairingSettings = PairingSettings(),
        peripheral peripheralSettings: PairingSettings = PairingSettings(),
        seed: UInt64 = 1
    ) {
        world = World(seed: seed)
        func configuration(_ settings: PairingSettings, _ number: UInt64) -> HostConfiguration {
            var configuration = HostConfiguration(seed: seed, device: number)
            configuration.pairing = settings
            return configuration
        }
        centralID = world.addDevice(
            named: "central",
            host: configuration(centralSettings, 1),
            bonds: central.store,
            application: central
        )
        peripheralID = world.addDevice(
            named: "peripheral",
            host: configuration(peripheralSettings, 2),
            bonds: peripheral.store,
            at: .metres(x: 1),
            application: peripheral
        )
    }

    func device(_ role: ConnectionRole) -> PairingDevice { role == .central ? central : peripheral }
    func id(_ role: ConnectionRole) -> DeviceID { role == .central ? centralID : peripheralID }

    func connect() throws { try PairingDevice.connect(central, centralID, to: peripheral, peripheralID, in: world) }

    func beginPairing() throws {
        guard let link = central.link else { return }
        try world.perform(on: centralID) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, at: now, into: &actions)
        }
    }

    /// Connects and pairs, with people who do as they are asked.
    func pair(people: People = People()) throws {
        try connect()
        try beginPairing()
        try runPairing(people: people)
    }

    /// Lets people answer until both ends know how the pairing has ended, for two minutes at most.
    func runPairing(people: People = People()) throws {
        let end = world.now + .seconds(120)
        while world.now < end, !(central.hasEnded && peripheral.hasEnded) {
            world.run(for: end - world.now) { isAsked || (central.hasEnded && peripheral.hasEnded) }
            guard isAsked else { break }
            // The digits may be shown a moment after they were asked for.
            if !knowsDigits { world.run(for: .seconds(1)) { knowsDigits } }
            let questions: [(ConnectionRole, PairingDevice.Question)] =
                [.central, .peripheral].flatMap { role in device(role).takeQuestions().map { (role, $0) } }
            for (role, question) in questions {
                guard let answer = people.answer(to: question, of: role, digitsShown: digitsShown) else { continue }
                try self.answer(answer, role)
            }
        }
        // What comes after the last word: keys of the other side, a disconnection.
        world.run(for: .seconds(1))
    }

    func answer(_ answer: PairingAnswer, _ role: ConnectionRole) throws {
        guard let link = device(role).link else { return }
        try world.perform(on: id(role)) { host, now, actions throws(PairingOrderError) in
            try host.answer(answer, on: link, at: now, into: &actions)
        }
    }

    func security(_ role: ConnectionRole) -> LinkSecurity? {
        guard let link = device(role).link else { return nil }
        return world.perform(on: id(role)) { host, _, _ in host.security(of: link) } ?? nil
    }

    func key(_ role: ConnectionRole) -> LongTermKey? {
        guard let link = device(role).link else { return nil }
        return world.perform(on: id(role)) { host, _, _ in host.encryptionKey(of: link) } ?? nil
    }

    /// When a host wants to be called next.
    func nextDeadline(_ role: ConnectionRole) -> Instant? {
        world.perform(on: id(role)) { host, _, _ in host.nextDeadline } ?? nil
    }

    private var isAsked: Bool { !central.questions.isEmpty || !peripheral.questions.isEmpty }
    /// Whether whoever is asked for a passkey can see one, or both are asked.
    private var knowsDigits: Bool {
        let asked = [central, peripheral].map { $0.questions.contains(.enter) }
        return digitsShown != nil || asked == [false, false] || asked == [true, true]
    }

    private var digitsShown: Passkey? { central.shown ?? peripheral.shown }
}

/// How the people answer who sit beside the devices; nil leaves a question unanswered.
struct People {
    /// The one who says no, or mistypes.
    var contrary: ConnectionRole?
    /// Asked for a passkey that nobody shows, both type this one.
    var agreed = Passkey(271_828)

    func answer(to question: PairingDevice.Question, of role: ConnectionRole, digitsShown: Passkey?) -> PairingAnswer? {
        switch question {
        case .compare, .consent: return role == contrary ? .refuse : .agree
        case .enter:
            guard let right = digitsShown ?? agreed else { return nil }
            guard role == contrary else { return .passkey(right) }
            // One bit is enough, and it is the last that is proven.
            return Passkey((right.value ^ 1) % 1_000_000).map { .passkey($0) }
        }
    }
}

/// An application that keeps what it hears of pairings, and the questions that it is asked.
final class PairingDevice: HostApplication {
    enum Question: Equatable {
        case compare(Passkey)
        case enter
        case consent
    }

    let store = MemoryBondStore()
    var services: [ServiceDefinition] = []
    private(set) var isUp = false
    private(set) var link: ConnectionID?
    private(set) var disconnection: ControllerError?
    private(set) var questions: [Question] = []
    /// Every question that was asked, answered or not.
    private(set) var asked: [Question] = []
    /// The passkey that this device shows.
    private(set) var shown: Passkey?
    private(set) var result: PairingResult?
    private(set) var failure: PairingFailure?
    private(set) var savedBonds: [Bond] = []
    private(set) var values: [[UInt8]] = []

    var hasEnded: Bool { result != nil || failure != nil }

    func takeQuestions() -> [Question] {
        defer { questions = [] }
        return questions
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: isUp = true
        case .connected(let description): link = description.id
        case .disconnected(let id, let reason) where id == link:
            link = nil
            disconnection = reason
        case .security(.pairing(let event)): handle(event)
        case .security(.paired(_, let result)): self.result = result
        case .security(.bondSaved(let bond)): savedBonds.append(bond)
        case .client(.notificationReceived(_, _, let value, _)): values.append(value)
        case .server(.valueWritten(_, _, let value)): values.append(value)
        default: break
        }
    }

    private func handle(_ event: PairingEvent) {
        switch event {
        case .comparisonRequested(_, let digits): ask(.compare(digits))
        case .passkeyRequested: ask(.enter)
        case .consentRequested: ask(.consent)
        case .passkeyShown(_, let passkey): shown = passkey
        case .failed(_, let failure):
            self.failure = failure
            questions = []
        default: break
        }
    }

    private func ask(_ question: Question) {
        questions.append(question)
        asked.append(question)
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    /// Lets one device advertise and another connect to it, whoever else there is.
    static func connect(
        _ central: PairingDevice,
        _ centralID: DeviceID,
        to peripheral: PairingDevice,
        _ peripheralID: DeviceID,
        in world: World
    ) throws {
        world.run(for: .seconds(5)) { central.isUp && peripheral.isUp }
        guard let interval = AdvertisingInterval(steps: 32), let address = world.publicAddress(of: peripheralID) else {
            throw PairingSceneError.noConnection
        }
        try world.perform(on: peripheralID) { host, now, actions throws(OrderError) in
            try host.startAdvertising(AdvertisingParameters(interval: interval), at: now, into: &actions)
        }
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        guard world.run(for: .seconds(10), until: { central.link != nil && peripheral.link != nil }) else {
            throw PairingSceneError.noConnection
        }
    }
}

enum PairingSceneError: Error {
    case noConnection
}
