import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_LENGTH_REQ and LL_LENGTH_RSP as the side that asks. Core 6.0, Vol 6, Part B, 5.1.9.
struct DataLengthUpdate: Sendable {
    private enum State {
        case awaitingResponse
        case over
    }

    private var state = State.awaitingResponse

    var isOver: Bool { state == .over }

    /// LL_LENGTH_RSP came, or a refusal.
    mutating func end() { state = .over }
}

extension Procedures {
    var dataLengthUpdate: DataLengthUpdate? {
        get { if case .dataLengthUpdate(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.dataLengthUpdate(newValue)) } }
    }
}

extension Connection {
    mutating func startDataLengthUpdate() {
        send(.lengthReq(dataLength.announced))
        procedures.begin(.dataLengthUpdate(DataLengthUpdate()))
    }

    mutating func receiveLengthRequest(_ lengths: DataLengths, into output: inout LinkOutput) {
        learn(lengths, into: &output)
        send(.lengthRsp(dataLength.announced))
    }

    mutating func receiveLengthResponse(_ lengths: DataLengths, into output: inout LinkOutput) {
        guard procedures.dataLengthUpdate != nil else { return }
        learn(lengths, into: &output)
        procedures.dataLengthUpdate?.end()
    }

    mutating func failDataLengthUpdate(isUnknown: Bool) {
        if isUnknown { dataLength.noteUnknownToPeer() }
        procedures.dataLengthUpdate?.end()
    }

    /// Whether the peer is known not to have the procedure.
    var peerLacksDataLengthUpdate: Bool {
        dataLength.isUnknownToPeer || procedures.features.peer?.contains(.dataPacketLengthExtension) == false
    }

    /// Takes over the peer's limits. The host receives an event if this changes the lengths. Vol 4, Part E, 7.7.65.7.
    private mutating func learn(_ lengths: DataLengths, into output: inout LinkOutput) {
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
