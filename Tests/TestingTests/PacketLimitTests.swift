import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("MTU, data length, buffers and channels of simulated devices")
struct PacketLimitTests {
    private static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }

    private func thing(mtu: Int = 517, dataLength: Int = 251, buffers: Int = 12) -> SimulatedPeripheral {
        SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [SimulatedCharacteristic("FFE1", [.write, .writeWithoutResponse, .read, .notify])]
                )
            ],
            maximumMTU: mtu,
            maximumDataLength: dataLength,
            controllerBuffers: buffers
        )
    }

    /// An app that knows the characteristic, a second after that.
    private func connected(_ air: Air, to thing: SimulatedPeripheral) throws -> (
        Monitor, CBPeripheral, CBCharacteristic
    ) {
        air.add(thing)
        let monitor = Monitor("FFE0")
        try air.run(until: monitor.characteristic("FFE1") != nil)
        air.run(for: .seconds(1))
        return (monitor, try #require(monitor.peripheral), try #require(monitor.characteristic("FFE1")))
    }

    @Test(
        "The shorter MTU of the two counts: 20 bytes at 23, 182 at 185, 512 at 517",
        arguments: [(23, 517, 20), (517, 23, 20), (185, 517, 182), (517, 185, 182), (517, 517, 512)]
    )
    func mtu(peripheralMTU: Int, phoneMTU: Int, length: Int) throws {
        var settings = PhoneSettings()
        settings.maximumMTU = phoneMTU
        try withAir(seed: 1) { air in
            let other = air.addPhone(named: "other", at: .metres(1), settings: settings)
            let thing = thing(mtu: peripheralMTU)
            air.add(thing)
            let monitor = other.addApp().run { Monitor("FFE0") }
            try air.run(until: monitor.characteristic("FFE1") != nil)
            air.run(for: .seconds(1))
            let peripheral = try #require(monitor.peripheral)
            let value = try #require(monitor.characteristic("FFE1"))
            #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == length)
            // One that takes several packets keeps its place before what follows.
            peripheral.writeValue(Data(Self.long), for: value, type: .withResponse)
            peripheral.writeValue(Data([1]), for: value, type: .withoutResponse)
            peripheral.writeValue(Data([2]), for: value, type: .withResponse)
            try air.run(until: monitor.writeErrors.count == 2)
            #expect(thing.writes(to: "FFE1") == [Data(Self.long), Data([1]), Data([2])])
            #expect(monitor.writeErrors.allSatisfy { $0 == nil })
        }
    }

    @Test("No packet of a connection is longer than the data length of either side", arguments: [27, 100, 251])
    func dataLength(octets: Int) throws {
        try withAir(seed: 2) { air in
            let thing = thing(dataLength: octets)
            let (monitor, peripheral, value) = try connected(air, to: thing)
            peripheral.writeValue(Data(Self.long), for: value, type: .withResponse)
            try air.run(until: monitor.writeErrors.count == 1)
            thing.send(Self.long, of: "FFE1")
            try air.run(until: monitor.values.count == 1)
            // Access address, header and CRC are 9 bytes.
            let lengths = (air.log.packets(from: air.phone) + air.log.packets(from: thing)).filter { $0.channel < 37 }
                .map { $0.bytes.count - 9 }
            #expect(lengths.max() == octets)
            #expect(thing.writes(to: "FFE1") == [Data(Self.long)] && monitor.values == [Data(Self.long)])
        }
    }

    @Test("Sizes that do not exist stop the process, a phone's as a peripheral's, and the words say which there are")
    func wrongSizes() async {
        func expect(_ words: String, in result: ExitTest.Result?) {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(words))
        }
        let mtu = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var settings = PhoneSettings()
            settings.maximumMTU = 22
            withAir { air in _ = air.addPhone(named: "other", settings: settings) }
        }
        expect("an ATT MTU is 23 to 517 bytes, not 22", in: mtu)
        let dataLength = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var settings = PhoneSettings()
            settings.maximumDataLength = 252
            withAir { air in _ = air.addPhone(named: "other", settings: settings) }
        }
        expect("a data length is 27 to 251 bytes, not 252", in: dataLength)
        let buffers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SimulatedPeripheral(named: "Thing", controllerBuffers: 0)
        }
        expect("a controller has 1 to 255 buffers, not 0", in: buffers)
    }

    @Test("Who listens on a peripheral that was removed is told so: nothing would come of the number")
    func listeningTooLate() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            withAir { air in
                let thing = air.add(SimulatedPeripheral(named: "Thing"))
                air.remove(thing)
                thing.listen()
            }
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("Thing cannot listen for L2CAP channels: it was taken off the air"))
    }

    @Test("With one buffer in the controller the same bytes take longer")
    func buffers() throws {
        func span(_ buffers: Int) throws -> Duration {
            try withAir(seed: 3) { air in
                let thing = thing(buffers: buffers)
                let (monitor, _, _) = try connected(air, to: thing)
                let begin = air.now
                for number in 0..<100 { thing.send([UInt8(number)] + Self.long.prefix(200), of: "FFE1") }
                try air.run(until: monitor.values.count == 100)
                #expect(monitor.values.map(\.first) == (0..<100).map { UInt8($0) })
                return air.now - begin
            }
        }
        #expect(try span(1) > span(12) * 2)
    }

    @Test("An app opens an L2CAP channel to a simulated peripheral, and bytes go both ways until one of them closes it")
    func channel() throws {
        try withAir(seed: 4) { air in
            let thing = thing()
            let (monitor, peripheral, _) = try connected(air, to: thing)
            // Its manager ends the connection when it goes.
            defer { withExtendedLifetime(monitor) {} }
            var opened: [SimulatedChannel] = []
            let psm = thing.listen { channel in
                opened.append(channel)
                channel.onBytes = { [unowned channel] in channel.send($0.reversed()) }
            }
            #expect(psm == 0x80)
            let client = ChannelClient()
            peripheral.delegate = client
            peripheral.openL2CAPChannel(psm)
            try air.run(until: client.channel != nil)
            let channel = try #require(client.channel)
            #expect(opened.count == 1 && thing.channels.count == 1 && opened[0].isOpen)
            channel.inputStream.open()
            channel.outputStream.open()
            let sent: [UInt8] = [1, 2, 3]
            #expect(channel.outputStream.write(sent, maxLength: 3) == 3)
            try air.run(until: channel.inputStream.hasBytesAvailable)
            var buffer = [UInt8](repeating: 0, count: 10)
            #expect(channel.inputStream.read(&buffer, maxLength: 10) == 3 && Array(buffer[..<3]) == [3, 2, 1])
            #expect(opened[0].received == Data(sent))

            opened[0].send(repeatElement(9, count: 100_000))
            opened[0].close()
            var count = 0
            var large = [UInt8](repeating: 0, count: 4_096)
            try air.run(within: .seconds(60)) {
                while channel.inputStream.hasBytesAvailable {
                    count += max(channel.inputStream.read(&large, maxLength: large.count), 0)
                }
                return count == 100_000
            }
            try air.run(until: !opened[0].isOpen)
            #expect(thing.channels.isEmpty)

            thing.stopListening(on: psm)
            peripheral.openL2CAPChannel(psm)
            try air.run(until: client.error != nil)
        }
    }
}

/// Keeps the channel that was opened.
final class ChannelClient: NSObject, CBPeripheralDelegate {
    private(set) var channel: CBL2CAPChannel?
    private(set) var error: (any Error)?

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        if let channel { self.channel = channel }
        self.error = error
    }
}
