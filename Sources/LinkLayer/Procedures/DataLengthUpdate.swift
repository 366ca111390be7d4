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
        changeDataLength(into: &output) { $0.learn(lengths) }
        send(.lengthRsp(dataLength.announced))
    }

    func receiveLengthResponse(_ lengths: DataLengths, at now: Instant, into output: inout LinkOutput) {
        guard case .dataLengthUpdate = procedures.active else { return }
        changeDataLength(into: &output) { $0.learn(lengths) }
        finish(at: now, into: &output)
    }

    /// Changes lengths and tells the host if something came of it. Vol 4, Part E, 7.7.65.7.
    func changeDataLength(into output: inout LinkOutput, _ change: (inout DataLength) -> Void) {
        let before = dataLength.effective
        change(&dataLength)
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
                )))
    }
}
