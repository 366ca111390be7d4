import BluethroatBluetoothValues
import BluethroatHCI
import FuzzInputs

/// Things that a host may want of a connection at any time.
enum HostRequests {
    static func packet(_ handle: ConnectionHandle, from stream: inout FuzzInput) -> [UInt8] {
        let command: Command
        switch stream.index(8) {
        case 0: command = .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle))
        case 1: command = .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle))
        case 2:
            command = .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: handle,
                    minimumInterval: 24,
                    maximumInterval: 24 + UInt16(stream.index(40)),
                    maximumLatency: 0,
                    supervisionTimeout: 300
                )
            )
        case 3:
            command = .leSetDataLength(
                LESetDataLength(
                    connection: handle,
                    transmitOctets: UInt16(27 + stream.index(225)),
                    transmitTime: 2_120
                )
            )
        case 4:
            let channels = stream.bytes(5)
            command = .leSetHostChannelClassification(LESetHostChannelClassification(channels: channels))
        case 5:
            command = .leRemoteConnectionParameterRequestReply(
                LERemoteConnectionParameterRequestReply(
                    connection: handle,
                    minimumInterval: 30,
                    maximumInterval: 40,
                    maximumLatency: 0,
                    supervisionTimeout: 300
                )
            )
        case 6:
            command = .leRemoteConnectionParameterRequestNegativeReply(
                LERemoteConnectionParameterRequestNegativeReply(connection: handle)
            )
        default:
            let data = stream.bytes(stream.index(100))
            return [2, UInt8(handle.rawValue), 0, UInt8(data.count), 0] + data
        }
        return command.packet()
    }
}
