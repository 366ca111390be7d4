import BluethroatBluetoothValues
import BluethroatHost

/// What came of the radio's and the link's own matters.
struct LinkLog {
    private(set) var reports = 0
    /// Each address that was heard, in the order of their first reports.
    private(set) var addresses: [DeviceAddress] = []
    private(set) var identified = 0
    private(set) var directedReports = 0
    var disconnections: [ControllerError] = []
    private(set) var connectFailures: [ConnectFailure] = []
    private(set) var advertisingEnds: [AdvertisingEnd] = []
    private(set) var parameterChanges = 0
    private(set) var updates: [ParameterUpdateResult] = []
    private(set) var requestsAnswered = 0
    private(set) var dataLengths = 0
    private(set) var phys: [ConnectionPHYs] = []
    private(set) var answers = 0
    private(set) var refusals = 0
    private(set) var commands: [[UInt8]] = []
    private(set) var listIsSet = false

    mutating func note(_ event: HostEvent) {
        switch event {
        case .advertisingReport(let report):
            reports += 1
            if report.identity != nil { identified += 1 }
            if report.kind == .directed { directedReports += 1 }
            if !addresses.contains(report.address) { addresses.append(report.address) }
        case .connectFailed(_, let failure): connectFailures.append(failure)
        case .advertisingEnded(let end): advertisingEnds.append(end)
        case .parametersChanged: parameterChanges += 1
        case .parameterUpdateCompleted(_, let result): updates.append(result)
        case .parameterRequestAnswered: requestsAnswered += 1
        case .dataLengthChanged: dataLengths += 1
        case .phys(_, let new): phys.append(new)
        case .signalStrength, .remoteVersion, .remoteFeatures: answers += 1
        case .connectionOrderFailed: refusals += 1
        case .commandCompleted(_, let parameters): commands.append(parameters)
        case .filterAcceptListSet(let result): listIsSet = result == .success
        default: break
        }
    }
}

/// What came of pairings and keys.
struct PairingLog {
    private(set) var results: [PairingResult] = []
    private(set) var failures: [PairingFailure] = []
    private(set) var encryptions = 0
    private(set) var shown: Passkey?
    private(set) var compared: Passkey?

    var isOver: Bool { !results.isEmpty || !failures.isEmpty }

    mutating func note(_ event: SecurityEvent) {
        switch event {
        case .paired(_, let result): results.append(result)
        case .pairing(.failed(_, let failure)): failures.append(failure)
        case .pairing(.passkeyShown(_, let passkey)): shown = passkey
        case .pairing(.comparisonRequested(_, let digits)): compared = digits
        case .encryptionChanged: encryptions += 1
        default: break
        }
    }
}

/// What came of attributes, here and there.
struct ValueLog {
    private(set) var results: [ProcedureResult] = []
    private(set) var notifications = 0
    private(set) var indications = 0
    private(set) var confirmations = 0
    private(set) var written = 0

    var failures: Int { results.count { if case .failed = $0 { true } else { false } } }

    mutating func note(_ event: GATTClientEvent) {
        switch event {
        case .procedureCompleted(_, _, let result): results.append(result)
        case .notificationReceived(_, _, _, let isIndication):
            if isIndication { indications += 1 } else { notifications += 1 }
        default: break
        }
    }

    mutating func note(_ event: GATTServerEvent) {
        switch event {
        case .valueWritten: written += 1
        case .indicationConfirmed: confirmations += 1
        default: break
        }
    }
}

/// What came of L2CAP channels.
struct ChannelLog {
    /// Bytes that are still to be sent, and the length of an SDU.
    var left = 0
    var sduLength = 100
    private(set) var open: [ChannelDescription] = []
    private(set) var received = 0
    private(set) var closings: [ChannelCloseReason] = []
    private(set) var failures: [ChannelOpenFailure] = []
    private(set) var reconfigurations = 0

    mutating func note(_ event: ChannelEvent) {
        switch event {
        case .opened(let description): open.append(description)
        case .openFailed(_, let failure): failures.append(failure)
        case .received(_, let sdu): received += sdu.count
        case .closed(let id, let reason):
            open.removeAll { $0.id == id }
            closings.append(reason)
        case .reconfigured, .peerReconfigured: reconfigurations += 1
        default: break
        }
    }
}
