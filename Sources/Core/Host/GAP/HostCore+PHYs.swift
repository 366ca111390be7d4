internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The PHYs of connections. Core 6.0, Vol 4, Part E, 7.8.47 to 7.8.49.
extension HostCore {
    mutating func setPHYs(
        _ connection: ConnectionID,
        sending: PHYSet,
        receiving: PHYSet,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        try require(.leSetPHY)
        let all: PHYSet = [.le1M, .le2M, .leCoded]
        guard sending.isSubset(of: all), receiving.isSubset(of: all) else { throw .parametersOutOfRange }
        links[slot].control.phyChange = .order
        let command = LESetPHY(connection: connection.handle, sending: sending, receiving: receiving)
        order(.setPHYs, .leSetPHY(command), connection, at: now, into: &actions)
    }

    mutating func readPHYs(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.leReadPHY)
        order(.readPHYs, .leReadPHY(LEReadPHY(connection: connection.handle)), connection, at: now, into: &actions)
    }

    mutating func askForLE2M(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        try require(.leSetPHY, .leReadRemoteFeatures)
        guard controller.findings.features.contains(.le2MPHY) else { throw .unsupported }
        // A peripheral may ask for the peer's features only where that has a procedure of its own.
        guard
            links[slot].role == .central || controller.findings.features.contains(.peripheralInitiatedFeaturesExchange)
        else { throw .unsupported }
        guard links[slot].control.phyChange == .none else { throw .busy }
        guard !links[slot].control.featureReading.contains(.phys) else { throw .busy }
        if let known = links[slot].control.peerFeatures {
            askForLE2M(slot, ofPeerWith: known)
        } else {
            readFeatures(slot, for: .phys)
        }
    }

    /// The host itself needs to know what the peer can do.
    mutating func readFeatures(_ slot: Int, for purpose: FeatureReading) {
        let isAsking = !links[slot].control.featureReading.isEmpty
        links[slot].control.featureReading.insert(purpose)
        guard !isAsking else { return }
        let id = links[slot].id
        let command = LEReadRemoteFeatures(connection: id.handle)
        pipeline.submitAnswer(Command.leReadRemoteFeatures(command).packet(), for: .connection(id, .readFeatures))
    }

    private mutating func askForLE2M(_ slot: Int, ofPeerWith features: LEFeatures) {
        guard features.contains(.le2MPHY), links[slot].control.phyChange == .none, controller.findings.offers(.leSetPHY)
        else {
            return
        }
        links[slot].control.phyChange = .own
        let id = links[slot].id
        let command = LESetPHY(connection: id.handle, sending: .le2M, receiving: .le2M)
        pipeline.submitAnswer(Command.leSetPHY(command).packet(), for: .connection(id, .setPHYs))
    }

    /// A connection is new, or a bonded peer's.
    mutating func askForLE2MIfWanted(_ id: ConnectionID, at now: Instant, into actions: inout HostActions) {
        guard configuration.asksForLE2M else { return }
        // A controller that cannot is no reason to fail.
        try? askForLE2M(id, at: now, into: &actions)
    }

    /// The peer's features are known, or will not be.
    mutating func handleRemoteFeatures(
        _ complete: LEReadRemoteFeaturesComplete,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: complete.connection) else { return }
        let id = links[slot].id
        let reading = links[slot].control.featureReading
        links[slot].control.featureReading = []
        if complete.status == .success { links[slot].control.peerFeatures = complete.features }
        // A change that the application has not asked for is reported, too.
        if reading.isEmpty || reading.contains(.application) {
            actions.events.append(
                complete.status == .success
                    ? .remoteFeatures(id, featureBits: complete.features.rawValue)
                    : .connectionOrderFailed(id, .readRemoteFeatures, complete.status)
            )
        }
        if reading.contains(.phys), complete.status == .success { askForLE2M(slot, ofPeerWith: complete.features) }
        if reading.contains(.parameters) {
            let features = complete.status == .success ? complete.features : nil
            continueParameterRequest(slot: slot, ofPeerWith: features, at: now, into: &actions)
        }
    }

    /// The controller does not carry out the application's order. What the host needed the features for ends with it.
    mutating func featureOrderFailed(
        slot: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        links[slot].control.featureReading.insert(.application)
        featureReadingFailed(slot: slot, status, at: now, into: &actions)
    }

    /// The controller does not even ask the peer for its features.
    mutating func featureReadingFailed(
        slot: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let id = links[slot].id
        let reading = links[slot].control.featureReading
        links[slot].control.featureReading = []
        if reading.contains(.application) {
            actions.events.append(.connectionOrderFailed(id, .readRemoteFeatures, status))
        }
        if reading.contains(.parameters) {
            continueParameterRequest(slot: slot, ofPeerWith: nil, at: now, into: &actions)
        }
        if reading.contains(.answer) { answerRefused(slot, status, at: now, into: &actions) }
    }

    /// The PHYs have changed, or what was asked for is decided. Core 6.0, Vol 4, Part E, 7.7.65.12.
    mutating func handlePHYUpdateComplete(_ complete: LEPHYUpdateComplete, into actions: inout HostActions) {
        guard let slot = links.slot(of: complete.connection) else { return }
        let id = links[slot].id
        let pending = links[slot].control.phyChange
        links[slot].control.phyChange = .none
        if complete.status == .success {
            let phys = ConnectionPHYs(sending: complete.transmit, receiving: complete.receive)
            actions.events.append(.phys(id, phys))
        } else if pending == .order {
            actions.events.append(.connectionOrderFailed(id, .setPHYs, complete.status))
        }
    }

    /// The answer to LE Read PHY.
    mutating func handlePHYs(_ bytes: [UInt8], of id: ConnectionID, into actions: inout HostActions) {
        var span = bytes.span.bytes
        guard let answer = try? LEReadPHYReturn(parsing: &span) else {
            actions.events.append(.malformedPacket(.returnParameters(opcode: Opcode.leReadPHY.rawValue)))
            return actions.events.append(.connectionOrderFailed(id, .readPHYs, .unspecifiedError))
        }
        actions.events.append(.phys(id, ConnectionPHYs(sending: answer.transmit, receiving: answer.receive)))
    }
}

/// The side that waits for the PHYs of a connection to change.
enum PHYChange: Equatable, Sendable {
    case none
    /// The application.
    case order
    /// The host by itself.
    case own
}

/// What for the peer's features are being read; nothing if they are not.
struct FeatureReading: OptionSet, Sendable {
    let rawValue: UInt8

    /// The application has asked for them.
    static let application = Self(rawValue: 1)
    /// Whether the peer has LE 2M.
    static let phys = Self(rawValue: 2)
    /// Whether the peer is there at all.
    static let answer = Self(rawValue: 4)
    /// Whether the peer has the Connection Parameters Request procedure.
    static let parameters = Self(rawValue: 8)
}

extension LESetPHY {
    fileprivate init(connection: ConnectionHandle, sending: PHYSet, receiving: PHYSet) {
        var noPreference: PHYIndifference = []
        if sending.isEmpty { noPreference.insert(.transmit) }
        if receiving.isEmpty { noPreference.insert(.receive) }
        self.init(connection: connection, noPreference: noPreference, transmit: sending, receive: receiving)
    }
}
