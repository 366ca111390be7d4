import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// The machines of a phone's service, and what concerns several of them. None knows another: what one has to know of
/// another, it is given here.
struct ServiceMachines {
    private let shared: SharedPhoneSettings
    var central: CentralRole
    var peripheral: PeripheralRole
    var channels: AppChannels
    /// Whether the phone's person is asked about pairings. Otherwise they agree to all, and type `PhoneSettings.passkey`.
    var asksPerson = false
    /// The number of the latest question of each connection that pairs, and of all.
    private var asked: [ConnectionID: UInt64] = [:]
    private var askedCount: UInt64 = 0

    init(_ shared: SharedPhoneSettings) {
        self.shared = shared
        central = CentralRole(shared)
        peripheral = PeripheralRole(shared)
        channels = AppChannels(shared)
    }

    var settings: PhoneSettings { shared.settings }

    // MARK: Sessions

    /// A manager of an app introduces itself.
    mutating func open(_ id: SessionID, _ description: SessionDescription, of app: AppID, _ turn: inout ServiceTurn) {
        guard turn.clients.apps.state(of: app).isRunning else {
            return turn.note(
                .ignoredBySystem,
                "your app makes a manager while it does not run: launch it first",
                of: id,
                app
            )
        }
        let description = restorable(description, id, of: app, &turn)
        if restore(id, description, of: app, &turn) { return }
        turn.clients.sessions.add(id, description, of: app)
        switch description.role {
        case .central: central.open(id, of: app, &turn)
        case .peripheral: turn.emit(.updateWindow(settings.updateWindow), to: id)
        }
        turn.emitState(to: id)
        turn.clients.apps.askPerson(of: app)
        if description.showsPowerAlert, turn.clients.radio == .poweredOff, turn.clients.apps.isInForeground(app) {
            turn.clients.apps.show(SystemAlert(app: app, time: turn.now, occasion: .bluetoothIsOff))
        }
    }

    /// A manager is gone.
    mutating func close(_ client: SessionID, _ turn: inout ServiceTurn) {
        if let id = turn.clients.sessions.session(of: client) { end(id, &turn) }
    }

    /// A session has ended, and everything that its manager had asked for.
    mutating func end(_ id: SessionID, _ turn: inout ServiceTurn) {
        turn.clients.sessions.remove(id)
        channels.close(of: id, &turn)
        peripheral.drop(id, &turn)
        peripheral.forget(id)
        central.close(id, &turn)
    }

    /// An app may use Bluetooth no longer; its managers stay.
    mutating func drop(_ id: SessionID, _ turn: inout ServiceTurn) {
        channels.close(of: id, &turn)
        peripheral.drop(id, &turn)
        central.drop(id, &turn)
    }

    // MARK: Questions

    mutating func newQuestion(
        _ kind: PairingQuestion.Kind,
        on connection: ConnectionID,
        of peer: DeviceAddress
    ) -> PairingQuestion {
        askedCount += 1
        asked[connection] = askedCount
        return PairingQuestion(kind: kind, connection: connection, peer: peer, number: askedCount)
    }

    /// The pairing on a connection is over.
    mutating func forgetQuestion(on connection: ConnectionID) { asked[connection] = nil }

    /// Whether a question is the one that was asked last on its connection, by the pairing that is under way. A yes is to what the
    /// person has seen, and to nothing that was asked meanwhile.
    func isOpen(_ question: PairingQuestion) -> Bool { asked[question.connection] == question.number }

    // MARK: The radio

    mutating func switchPower(_ isOn: Bool, _ turn: inout ServiceTurn) {
        if isOn {
            guard turn.clients.radio != .poweredOn else { return }
            turn.host.powerOn(at: turn.now, into: &turn.actions)
        } else {
            discardKept(&turn) { _ in true }
            turn.host.powerOff(at: turn.now, into: &turn.actions)
            change(to: .poweredOff, &turn)
        }
    }

    mutating func change(to radio: RadioState, _ turn: inout ServiceTurn) {
        guard radio != turn.clients.radio else { return }
        turn.clients.radio = radio
        if radio != .poweredOn {
            channels.wentDown(&turn)
            central.wentDown(&turn)
        }
        for session in turn.clients.sessions.all { turn.emitState(to: session) }
    }

    // MARK: Time

    mutating func expire(_ turn: inout ServiceTurn) {
        for app in turn.clients.apps.due(at: turn.now) {
            if turn.clients.apps.isToBeSuspended(app, at: turn.now) { suspend(app, &turn) }
            if turn.clients.apps.takeDiscard(of: app, at: turn.now) { discardKept(&turn) { $0 == app } }
        }
        central.expire(&turn)
    }
}
