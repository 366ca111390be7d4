import BluethroatBluetoothValues
import BluethroatHost

/// What a phone does for the peripheral managers of its apps: their services, their advertisements, and the requests of
/// those who connect. This is the way in; what it knows is `PeripheralCore`'s.
struct PeripheralRole {
    private var core: PeripheralCore

    init(_ shared: SharedPhoneSettings) { core = PeripheralCore(shared) }

    // MARK: Commands

    mutating func add(_ service: LocalService, of session: SessionID, _ turn: inout ServiceTurn) {
        core.add(service, of: session, &turn)
    }

    mutating func remove(_ service: LocalServiceID, of session: SessionID, _ turn: inout ServiceTurn) {
        core.removeServices(of: session, &turn) { $0 == service }
    }

    mutating func removeAllServices(of session: SessionID, _ turn: inout ServiceTurn) {
        core.removeServices(of: session, &turn)
    }

    mutating func startAdvertising(_ request: AdvertisementRequest, of session: SessionID, _ turn: inout ServiceTurn) {
        core.startAdvertising(request, of: session, &turn)
    }

    mutating func stopAdvertising(of session: SessionID, _ turn: inout ServiceTurn) {
        core.stopAdvertising(of: session, &turn)
    }

    mutating func update(
        _ characteristic: LocalCharacteristicID,
        _ value: [UInt8],
        to peers: [PeerID]?,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) { core.update(characteristic, value, to: peers, of: session, &turn) }

    mutating func answer(
        _ answer: LocalAnswer,
        to request: LocalRequestID,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) { core.answer(answer, to: request, of: session, &turn) }

    mutating func setLatency(
        _ latency: ConnectionLatency,
        for peer: PeerID,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) { core.setLatency(latency, for: peer, of: session, &turn) }

    // MARK: Events of the host

    func publishOwnServices(_ turn: inout ServiceTurn) { core.publishOwnServices(&turn) }

    mutating func cameUp(_ turn: inout ServiceTurn) { core.refreshAdvertising(&turn) }

    /// The state is below off.
    mutating func forgetEverything(_ turn: inout ServiceTurn) { core.forgetEverything(&turn) }

    mutating func advertisingStarted(_ turn: inout ServiceTurn) { core.advertisingStarted(&turn) }

    mutating func advertisingEnded(_ end: AdvertisingEnd, _ turn: inout ServiceTurn) {
        core.advertisingEnded(end, &turn)
    }

    mutating func connected(_ description: ConnectionDescription, _ turn: inout ServiceTurn) {
        core.connected(description, &turn)
    }

    mutating func disconnected(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.disconnected(connection, &turn)
    }

    mutating func mtuChanged(of connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.mtuChanged(of: connection, &turn)
    }

    mutating func parameterUpdateCompleted(
        _ connection: ConnectionID,
        _ result: ParameterUpdateResult,
        _ turn: inout ServiceTurn
    ) { core.parameterUpdateCompleted(connection, result, &turn) }

    mutating func parametersChanged(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.parametersChanged(connection, &turn)
    }

    /// There is room on the air again.
    mutating func readyToSend(_ turn: inout ServiceTurn) { core.sendUpdates(&turn) }

    func paired(_ connection: ConnectionID, _ result: PairingResult, _ turn: inout ServiceTurn) {
        core.paired(connection, result, &turn)
    }

    mutating func encryptionChanged(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.findSubscriptions(of: connection, &turn)
    }

    mutating func handle(_ event: GATTServerEvent, _ turn: inout ServiceTurn) { core.handle(event, &turn) }

    // MARK: Sessions

    /// A manager is gone, or may use Bluetooth no longer: everything that it had asked for ends.
    mutating func drop(_ session: SessionID, _ turn: inout ServiceTurn) {
        core.refuseAll(of: session, &turn)
        core.removeServices(of: session, &turn)
        core.stopAdvertising(of: session, &turn)
        core.unfreeze(session)
    }

    /// A manager's app was ended, and what the manager had stays.
    mutating func keep(_ session: SessionID, _ turn: inout ServiceTurn) -> PeripheralRestoration {
        core.refuseAll(of: session, &turn)
        return core.keep(session, &turn)
    }

    mutating func enterForeground(_ session: SessionID) { core.unfreeze(session) }

    mutating func enterBackground(_ session: SessionID, _ turn: inout ServiceTurn) {
        core.enterBackground(session, &turn)
    }

    /// What apps may do has changed.
    mutating func policyChanged(_ turn: inout ServiceTurn) { core.policyChanged(&turn) }

    /// The session has ended.
    mutating func forget(_ session: SessionID) { core.unfreeze(session) }

    // MARK: Questions

    /// A central that is connected, as an app knows it; nil if there is none.
    mutating func describe(
        _ connection: ConnectionID,
        to session: SessionID,
        _ turn: inout ServiceTurn
    ) -> SubscribedCentral? {
        core.client(connection).flatMap { core.describe($0, to: session, &turn) }
    }

    /// The 16 bytes of the overflow area that are on the air; nil if there is none.
    var overflowMaskOnAir: [UInt8]? {
        guard let onAir = core.onAir else { return nil }
        return OverflowArea(in: onAir.data)?.mask ?? OverflowArea(in: onAir.scanResponse)?.mask
    }
}
