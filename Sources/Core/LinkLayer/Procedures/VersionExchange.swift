import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_VERSION_IND as the side whose host asks for the peer's version. Core 6.0, Vol 6, Part B, 5.1.5.
struct VersionExchange: Sendable {
    private enum State {
        case awaitingVersion
        case over
    }

    private var state: State

    /// Over at once if the peer's version is known.
    init(isKnown: Bool) { state = isKnown ? .over : .awaitingVersion }

    var isOver: Bool { state == .over }

    /// The peer's LL_VERSION_IND came.
    mutating func end() { state = .over }
}

/// The versions of both sides. Each side sends its own once and never again.
struct VersionSets: Sendable {
    private let own: VersionIndication
    private(set) var peer: VersionIndication?
    private var isSent = false

    init(own: VersionIndication) { self.own = own }

    mutating func learn(_ version: VersionIndication) { peer = version }

    /// Our version to be sent now; nil if it has been sent.
    mutating func takeOwn() -> ControlPDU? {
        guard !isSent else { return nil }
        isSent = true
        return .versionInd(own)
    }
}

extension Procedures {
    var versionExchange: VersionExchange? {
        get { if case .versionExchange(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.versionExchange(newValue)) } }
    }
}

extension Connection {
    mutating func startVersionExchange(into output: inout LinkOutput) {
        procedures.begin(.versionExchange(VersionExchange(isKnown: procedures.versions.peer != nil)))
        if procedures.versions.peer != nil {
            reportVersion(into: &output)
        } else if let own = procedures.versions.takeOwn() {
            // Had it gone out before, as an answer, the peer's would be known.
            send(own)
        }
    }

    mutating func receive(_ version: VersionIndication, into output: inout LinkOutput) {
        procedures.versions.learn(version)
        if let own = procedures.versions.takeOwn() { send(own) }
        guard procedures.isAsked(for: .versionExchange) else { return }
        reportVersion(into: &output)
        procedures.versionExchange?.end()
        procedures.withdraw(.versionExchange)
    }

    private func reportVersion(into output: inout LinkOutput) {
        guard let version = procedures.versions.peer else { return }
        output.events.append(
            .readRemoteVersionInformationComplete(
                ReadRemoteVersionInformationComplete(
                    connection: handle,
                    version: version.version,
                    companyIdentifier: version.companyIdentifier,
                    subversion: version.subversion
                )
            )
        )
    }
}
