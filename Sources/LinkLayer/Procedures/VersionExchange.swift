import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_VERSION_IND, once in each direction and never again. Core 6.0, Vol 6, Part B, 5.1.5.
extension Connection {
    func beginVersionExchange(at now: Instant, into output: inout LinkOutput) {
        if procedures.peerVersion != nil {
            reportVersion(into: &output)
            return finish(at: now, into: &output)
        }
        // Ours may have gone out already, as an answer that the peer's version came with; then it would be known.
        procedures.sentVersion = true
        send(.versionInd(ownVersion))
        expectResponse(at: now)
    }

    func receive(
        _ version: VersionIndication,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        procedures.peerVersion = version
        if !procedures.sentVersion {
            procedures.sentVersion = true
            send(.versionInd(ownVersion))
        }
        reportVersion(into: &output)
        if case .versionExchange = procedures.active { finish(at: now, into: &output) }
    }

    private func reportVersion(into output: inout LinkOutput) {
        guard procedures.hostAwaitsVersion, let version = procedures.peerVersion else { return }
        procedures.hostAwaitsVersion = false
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
