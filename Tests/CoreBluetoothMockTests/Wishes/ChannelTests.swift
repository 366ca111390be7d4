import BluethroatTesting
import CoreBluetoothMock
import Testing

@Suite("L2CAP channels of a specification", .air)
struct ChannelTests {
    let air = Air.current

    private func openStreams(_ app: ThermometerApp) throws -> (input: InputStream, output: OutputStream) {
        try air.run(until: app.channel != nil)
        let channel = try #require(app.channel)
        let input = try #require(channel.inputStream), output = try #require(channel.outputStream)
        input.open()
        output.open()
        try air.run(until: output.hasSpaceAvailable)
        return (input, output)
    }

    @Test("The delegate gets a channel that an app opens; bytes go both ways, more than fits into one packet")
    func bytes() throws {
        let thermometer = Thermometer()
        let app = try air.readyApp(thermometer)
        app.peripheral?.openL2CAPChannel(Thermometer.psm)
        let (input, output) = try openStreams(app)
        let device = try #require(thermometer.channels.first)
        #expect(app.channel?.psm == Thermometer.psm && device.psm == Thermometer.psm && device.isOpen)
        #expect(thermometer.spec.l2capChannels.map(ObjectIdentifier.init) == [ObjectIdentifier(device)])
        #expect(output.write([1, 2, 3], maxLength: 3) == 3)
        try air.run(until: device.received == Data([1, 2, 3]))
        let long = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })
        device.send(long)
        var heard = Data()
        var buffer = [UInt8](repeating: 0, count: 512)
        try air.run {
            while input.hasBytesAvailable {
                let count = input.read(&buffer, maxLength: buffer.count)
                guard count > 0 else { break }
                heard += buffer[..<count]
            }
            return heard.count >= long.count
        }
        #expect(heard == long)
    }

    @Test("What comes is told as it comes")
    func onBytes() throws {
        let thermometer = Thermometer()
        let app = try air.readyApp(thermometer)
        app.peripheral?.openL2CAPChannel(Thermometer.psm)
        let (_, output) = try openStreams(app)
        let device = try #require(thermometer.channels.first)
        let echo = Heard()
        device.onBytes = { echo.bytes += $0 }
        #expect(output.write([7, 8], maxLength: 2) == 2)
        try air.run(until: echo.bytes == Data([7, 8]))
    }

    @Test("A channel is closed by the device, and by the end of the connection; the delegate hears of each")
    func close() throws {
        let thermometer = Thermometer()
        let app = try air.readyApp(thermometer)
        app.peripheral?.openL2CAPChannel(Thermometer.psm)
        _ = try openStreams(app)
        thermometer.channels[0].close()
        try air.run(until: thermometer.closedCount == 1)
        #expect(!thermometer.channels[0].isOpen && thermometer.spec.l2capChannels.isEmpty)
        app.channel = nil
        app.peripheral?.openL2CAPChannel(Thermometer.psm)
        _ = try openStreams(app)
        thermometer.spec.simulateDisconnection()
        try air.run(until: thermometer.closedCount == 2 && app.ends.count == 1)
    }

    @Test("A PSM that is not published is refused")
    func refused() throws {
        let app = try air.readyApp(Thermometer())
        app.peripheral?.openL2CAPChannel(0x81)
        try air.run(until: app.errors.count == 1)
        #expect(app.channel == nil)
    }

    @Test("A channel that needs encryption has the phone pair before it is opened")
    func encrypted() throws {
        let thermometer = Thermometer(channelSecurity: .encrypted)
        let app = try air.readyApp(thermometer)
        #expect(!thermometer.spec.isBonded)
        app.peripheral?.openL2CAPChannel(Thermometer.psm)
        _ = try openStreams(app)
        air.run(for: .seconds(1))
        #expect(thermometer.spec.isBonded)
    }
}

private final class Heard: @unchecked Sendable {
    var bytes = Data()
}
