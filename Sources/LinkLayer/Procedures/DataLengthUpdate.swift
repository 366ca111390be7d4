import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_LENGTH_REQ and LL_LENGTH_RSP. Core 6.0, Vol 6, Part B, 5.1.9.
extension Connection {
    func beginDataLengthUpdate(at now: Instant) {
        send(.lengthReq(dataLength.announced))
        expectResponse(at: now)
    }

    func receiveLengthRequest(_ lengths: DataLengths, into output: inout LinkOutput) {
        learn(lengths, into: &output)
        send(.lengthRsp(dataLength.announced))
    }

    func receiveLengthResponse(_ lengths: DataLengths, at now: Instant, into output: inout LinkOutput) {
        guard case .dataLengthUpdate = procedures.active else { return }
        learn(lengths, into: &output)
        finish(at: now, into: &output)
    }

    /// Whether the peer is known not to have the procedure.
    var peerLacksDataLengthUpdate: Bool {
        procedures.peerRefusedDataLengthUpdate
            || procedures.peerFeatures?.contains(.dataPacketLengthExtension) == false
    }

    /// Takes over the peer's limits and tells the host if something came of it. Vol 4, Part E, 7.7.65.7.
    private func learn(_ lengths: DataLengths, into output: inout LinkOutput) {
        let before = dataLength.effective
        dataLength.learn(lengths)
        let now = dataLength.effective
        guard now != before else { return }
        output.events.append(
            .leDataLengthChange(
                LEDataLengthChange(
                    connection: handle,
                    transmitOctets: now.maximumTransmitOctets,
                    transmitTime: now.maximumTransmitTime,
                    receiveOctets: now.maximumReceiveOctets,
                    receiveTime: now.maximumReceiveTime
                )
            )
        )
    }
}
