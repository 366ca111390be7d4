import BluethroatBluetoothValues
import BluethroatHCI
import FuzzInputs

@testable import BluethroatLinkLayer

/// What a hostile host sends to one of three controllers on one air: commands that make sense, damaged ones, any other
/// opcode, data and noise.
enum FuzzedHostPackets {
    static func packet(from stream: inout FuzzInput) -> [UInt8] {
        switch stream.index(20) {
        case 0:
            return stream.bytes(stream.index(12))
        case 1:
            let opcode = UInt16(stream.index(0xA0)) | stream.pick([0x01, 0x03, 0x04, 0x05, 0x08, 0x3F]) << 10
            let parameters = stream.bytes(stream.index(64))
            return [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
        case 2...5:
            let data = stream.bytes(stream.index(40))
            let packet = [2, UInt8(stream.index(4)), stream.pick([0x00, 0x10, 0x20])] + [UInt8(data.count), 0] + data
            return stream.index(5) == 0 ? stream.mutate(packet) : packet
        case 6...9:
            var packet = command(from: &stream).packet()
            packet = stream.mutate(packet)
            // Most with a length that fits, or they would end at the first check.
            if packet.count >= 4, stream.index(4) != 0 { packet[3] = UInt8(min(255, packet.count - 4)) }
            return packet
        default:
            return command(from: &stream).packet()
        }
    }

    /// A command that makes sense, about the three controllers there are.
    private static func command(from stream: inout FuzzInput) -> Command {
        let handle = ConnectionHandle(rawValue: UInt16(stream.index(3))) ?? .init(rawValue: 0)!
        let peer = PeerAddress(ControllerAir.address(stream.index(3)))
        let interval = UInt16(6 + stream.index(40)), latency = UInt16(stream.index(3))
        let timeout = UInt16(50 + stream.index(200))
        let flag = stream.index(4) != 0
        switch stream.index(36) {
        case 0: return .disconnect(Disconnect(connection: handle))
        case 1: return .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle))
        case 2: return stream.index(20) == 0 ? .reset : .leRand
        case 3: return .readRSSI(ReadRSSI(connection: handle))
        case 4: return .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle))
        case 5:
            let address = DeviceAddress(value: 0xC0DE_0000_0000 | UInt64(stream.index(3)), kind: .random)
            return .leSetRandomAddress(LESetRandomAddress(address: address))
        case 6...8:
            let step = UInt16(0x20 + stream.index(0x40))
            return .leSetAdvertisingParameters(
                LESetAdvertisingParameters(
                    minimumInterval: step,
                    maximumInterval: step,
                    type: stream.pick(AdvertisingType.allCases),
                    ownAddressType: stream.pick([.public, .public, .random]),
                    peer: peer,
                    channelMap: UInt8(1 + stream.index(7)),
                    filterPolicy: stream.pick([.everybody] + AdvertisingFilterPolicy.allCases)
                )
            )
        case 9: return .leSetAdvertisingData(LESetAdvertisingData(data: stream.bytes(stream.index(32))))
        case 10: return .leSetScanResponseData(LESetScanResponseData(data: stream.bytes(stream.index(32))))
        case 11...14: return .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: flag))
        case 15:
            let step = UInt16(4 + stream.index(0x60))
            return .leSetScanParameters(
                LESetScanParameters(
                    isActive: flag,
                    interval: step,
                    window: UInt16(4 + stream.index(Int(step) - 3)),
                    ownAddressType: stream.pick([.public, .random]),
                    filterPolicy: stream.pick([.basicUnfiltered, .basicFiltered])
                )
            )
        case 16...18: return .leSetScanEnable(LESetScanEnable(isEnabled: flag, filtersDuplicates: stream.index(2) == 0))
        case 19...23:
            return .leCreateConnection(
                LECreateConnection(
                    scanInterval: 0x20,
                    scanWindow: UInt16(4 + stream.index(0x1D)),
                    filterPolicy: stream.pick([.peer, .peer, .list]),
                    peer: peer,
                    ownAddressType: stream.pick([.public, .public, .random]),
                    minimumInterval: interval,
                    maximumInterval: interval,
                    maximumLatency: latency,
                    supervisionTimeout: timeout
                )
            )
        case 24: return .leCreateConnectionCancel
        case 25: return .leClearFilterAcceptList
        case 26: return .leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: peer))
        case 27: return .leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: peer))
        case 28, 29:
            return .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: handle,
                    minimumInterval: interval,
                    maximumInterval: interval + 4,
                    maximumLatency: latency,
                    supervisionTimeout: timeout
                )
            )
        case 30:
            return .leSetHostChannelClassification(LESetHostChannelClassification(channels: stream.bytes(5)))
        case 31: return .leReadChannelMap(LEReadChannelMap(connection: handle))
        case 32:
            return .leRemoteConnectionParameterRequestReply(
                LERemoteConnectionParameterRequestReply(
                    connection: handle,
                    minimumInterval: interval,
                    maximumInterval: interval,
                    maximumLatency: latency,
                    supervisionTimeout: timeout
                )
            )
        case 33:
            return .leRemoteConnectionParameterRequestNegativeReply(
                LERemoteConnectionParameterRequestNegativeReply(connection: handle)
            )
        case 34:
            return .leSetDataLength(
                LESetDataLength(
                    connection: handle,
                    transmitOctets: UInt16(27 + stream.index(225)),
                    transmitTime: UInt16(328 + stream.index(2_000))
                )
            )
        default:
            let octets = stream.pick([27, 27, 100, 251] as [UInt16])
            return .leWriteSuggestedDefaultDataLength(
                LEWriteSuggestedDefaultDataLength(transmitOctets: octets, transmitTime: 2_120)
            )
        }
    }
}
