import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation

/// A phone with an app in the overflow area, and perhaps another app that gets in its way.
final class OverflowParticipant {
    /// The app, by what it does.
    enum Beacon {
        case demo(OverflowDemo)
        case sequential(SequentialAdvertiser)
        case codeWord(OverflowAreaBeacon)
        case conversation(OverflowConversation)
    }

    let phone: Phone
    let app: PhoneApp
    let payload: [UInt8]
    let positions: BeaconFrame.Positions
    let beacon: Beacon
    /// The messages that a conversation has brought.
    private(set) var received: [[UInt8]] = []
    /// What another app sets, from left to right.
    private(set) var pollution: [OverflowBit] = []

    private let clock: AppClock
    private let tell: (OverflowEvent.Event) -> Void
    private var polluter: (app: PhoneApp, manager: CBPeripheralManager)?

    /// Brings the app to the screen of a phone; it does nothing yet.
    init(
        _ phone: Phone,
        _ plan: OverflowPlan,
        number: Int,
        in world: World,
        tell: @escaping (OverflowEvent.Event) -> Void
    ) {
        self.phone = phone
        self.tell = tell
        clock = .of(world)
        positions = plan.positions
        app = phone.addApp(named: "overflow", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral])
        let clock = AppClock.of(world), surroundings = AppSurroundings.of(app)
        let given = plan.payload(of: number, seed: world.seed)
        switch plan.mode {
        case .demo:
            payload = given
            beacon = .demo(
                app.run {
                    OverflowDemo(
                        payload: given,
                        matchingByte: plan.matchingByte,
                        positions: plan.positions,
                        extent: plan.extent,
                        cycle: plan.cycle.cycle,
                        clock: clock,
                        surroundings: surroundings
                    )
                }
            )
        case .sequential:
            payload = []
            beacon = .sequential(app.run { SequentialAdvertiser(clock: clock, surroundings: surroundings) })
        case .hamming, .bch:
            payload = given
            let (major, minor) = (UInt16(given[0]) << 8 | UInt16(given[1]), UInt16(given[2]) << 8 | UInt16(given[3]))
            let app = app
            let beacon = app.run {
                OverflowAreaBeacon(
                    minor: minor,
                    code: plan.code ?? .bch,
                    cycle: plan.cycle.cycle,
                    clock: clock,
                    surroundings: surroundings
                )
            }
            beacon.configure(
                iBeaconUuid: beacon.proximityUuid,
                overflowMatchingByte: plan.matchingByte,
                major: major,
                minor: minor,
                measuredPower: beacon.measuredPower
            )
            self.beacon = .codeWord(beacon)
        case .conversation:
            payload = given
            var random = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "session")
            let (own, partner) = plan.numbers(of: number)
            let session = UInt8.random(in: 1...255, using: &random)
            let conversation = Conversation(own, with: partner, session: session)
            beacon = .conversation(
                app.run {
                    OverflowConversation(
                        conversation,
                        matchingByte: plan.matchingByte,
                        cycle: plan.cycle.cycle,
                        clock: clock,
                        surroundings: surroundings
                    )
                }
            )
        }
        listen()
    }

    /// The app begins, and its person leaves it soon.
    func begin(_ screen: OverflowPlan.Screen) {
        _ = clock.once(after: 0.5) { [weak self] in self?.start() }
        _ = clock.once(after: 0.6) { [weak self] in
            guard let self else { return }
            app.enterBackground()
            guard screen != .on else { return }
            if screen == .off { phone.notificationObstacles = .covered }
            phone.isScreenOn = false
        }
    }

    /// What the app does and knows.
    var state: OverflowState {
        switch beacon {
        case .demo(let demo): demo.state
        case .sequential(let advertiser): advertiser.state
        case .codeWord(let beacon): beacon.state
        case .conversation(let conversation): conversation.state
        }
    }

    /// Whether anything was read of another phone.
    var hasRead: Bool {
        if case .conversation = beacon { return !received.isEmpty }
        return state.neighbours.contains { $0.readings > 0 }
    }

    /// Has another app on the phone set these bits, and no others.
    func pollute(_ bits: [OverflowBit]) {
        pollution = bits.sorted()
        let (other, manager) = polluter ?? makePolluter()
        polluter = (other, manager)
        // Since iOS 14 an app that is in the background cannot change what it advertises.
        other.enterForeground()
        _ = clock.once(after: 0.1) { [weak self] in
            manager.stopAdvertising()
            if let self, !pollution.isEmpty {
                manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: pollution.map(\.service)])
            }
        }
        _ = clock.once(after: 0.2) { other.enterBackground() }
    }

    private func makePolluter() -> (PhoneApp, CBPeripheralManager) {
        let app = phone.addApp(named: "other", backgroundModes: .bluetoothPeripheral)
        return (app, app.run { CBPeripheralManager(delegate: nil, queue: nil) })
    }

    private func listen() {
        switch beacon {
        case .demo(let demo):
            demo.log = { [tell] in tell(.log($0)) }
            demo.read = { [tell] in tell(.read($0.payload, peer: $0.peer)) }
        case .sequential(let advertiser): advertiser.log = { [tell] in tell(.log($0)) }
        case .codeWord(let beacon): beacon.log = { [tell] in tell(.log($0)) }
        case .conversation(let conversation):
            conversation.log = { [tell] in tell(.log($0)) }
            conversation.happened = { [weak self] event, peer in
                guard let self, case .received(let message) = event else { return }
                received.append(message)
                tell(.read(message, peer: peer))
            }
        }
    }

    private func start() {
        switch beacon {
        case .demo(let demo): demo.start()
        case .sequential(let advertiser): advertiser.start()
        case .codeWord(let beacon):
            guard beacon.startTx(), beacon.startScanning(delegate: self) else {
                return tell(.log("Error condition: \(beacon.errorCondition?.rawValue ?? "None known")"))
            }
        case .conversation(let conversation):
            conversation.send(payload)
            conversation.start()
        }
    }
}

extension OverflowParticipant: OverflowAreaBeaconDelegate {
    func didDetectBeacon(
        type: String,
        major: UInt16,
        minor: UInt16,
        rssi: Int,
        proximityUuid: UUID,
        distance: Double
    ) {
        tell(.read([major, minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, peer: nil))
    }
}
