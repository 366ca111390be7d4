import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// What the controller says of itself: bytes that foreign hosts read.
@Suite("What hosts are told of the controller")
struct InformationTests {
    private func parameters(_ opcode: UInt16, _ bench: Bench) throws -> [UInt8] {
        bench.send([1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0])
        return Array(try #require(bench.takePackets().first).dropFirst(6))
    }

    @Test("Bring-up reads what real hosts need")
    func bringUp() throws {
        let bench = try Bench(events: false)
        // No company, so that nobody loads firmware.
        #expect(try parameters(0x1001, bench) == [0, 0x0D, 1, 0, 0x0D, 0xFF, 0xFF, 1, 0])
        // LE only.
        #expect(try parameters(0x1003, bench) == [0, 0, 0, 0, 0, 0x60, 0, 0, 0])
        #expect(try parameters(0x1005, bench) == [0, 251, 0, 0, 12, 0, 0, 0])
        #expect(try parameters(0x1009, bench) == [0, 1, 0, 0, 0, 0x0E, 0xB2])
        #expect(try parameters(0x2002, bench) == [0, 251, 0, 12])
        #expect(try parameters(0x2003, bench) == [0, 0xFF, 0x41, 0, 0x08, 0, 0, 0, 0])
        #expect(try parameters(0x2007, bench) == [0, 0])
        #expect(try parameters(0x200F, bench) == [0, 32])
        #expect(try parameters(0x201C, bench) == [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 3, 0, 0])
        #expect(try parameters(0x2023, bench) == [0, 27, 0, 0x48, 1])
        #expect(try parameters(0x202F, bench) == [0, 251, 0, 0x48, 8, 251, 0, 0x48, 8])
        #expect(try parameters(0x204B, bench) == [0, 0, 0])
    }

    @Test("The commands whose absence makes hosts mask events are named")
    func namedCommands() throws {
        let bench = try Bench()
        guard case .commandComplete(let complete) = try bench.command(.readLocalSupportedCommands) else { return }
        let named = try complete.returned(ReadLocalSupportedCommandsReturn.self).commands
        for opcode in [Opcode.leSetScanEnable, .leCreateConnection, .leConnectionUpdate, .leReadRemoteFeatures] {
            #expect(named.contains(opcode))
        }
        // Not claimed, since not answered.
        for opcode in [Opcode.leSetExtendedScanEnable, .leSetExtendedAdvertisingEnable] {
            #expect(!named.contains(opcode))
        }
    }

    @Test("A controller without a public address says so, and advertises only under a random one")
    func noPublicAddress() throws {
        let configuration = ControllerConfiguration(publicAddress: DeviceAddress(value: 0, kind: .public))
        let bench = try Bench(configuration: configuration)
        #expect(try parameters(0x1009, bench) == [0, 0, 0, 0, 0, 0, 0])
        let enable = Command.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true))
        #expect(try bench.status(of: enable) == .invalidCommandParameters)
        try bench.succeed(.leSetAdvertisingParameters(LESetAdvertisingParameters(ownAddressType: .random)))
        #expect(try bench.status(of: enable) == .invalidCommandParameters)
        let address = DeviceAddress(value: 0xC0DE_0000_0001, kind: .random)
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: address)))
        try bench.succeed(enable)
    }

    @Test("On a connection: signal strength, transmit power, channel map")
    func connection() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        let rssi = Command.readRSSI(ReadRSSI(connection: link.handle))
        // Not heard yet: 127 is no strength.
        bench.send(rssi.packet())
        #expect(bench.takePackets() == [[4, 0x0E, 7, 1, 0x05, 0x14, 0, 0, 0, 127]])
        try link.idle(events: 1)
        bench.send(rssi.packet())
        #expect(bench.takePackets() == [[4, 0x0E, 7, 1, 0x05, 0x14, 0, 0, 0, UInt8(bitPattern: -50)]])
        bench.send(Command.readTransmitPowerLevel(ReadTransmitPowerLevel(connection: link.handle)).packet())
        #expect(bench.takePackets() == [[4, 0x0E, 7, 1, 0x2D, 0x0C, 0, 0, 0, 0]])
        bench.send(Command.leReadChannelMap(LEReadChannelMap(connection: link.handle)).packet())
        #expect(
            bench.takePackets() == [[4, 0x0E, 11, 1, 0x15, 0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F]]
        )
    }
}
