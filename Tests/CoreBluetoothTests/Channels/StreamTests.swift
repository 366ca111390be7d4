import BluethroatPhoneService
import BluethroatPhones
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Streams of L2CAP channels in virtual time")
struct StreamTests {
    @Test("A delegate hears nothing before its call has returned, and then at the same instant [product decision]")
    func order() throws {
        let scene = try ChannelScene()
        scene.client.open = { Correspondent($0, opens: false) }
        scene.server.open = { Correspondent($0, opens: false) }
        let (client, server) = try scene.open()
        client.open()
        #expect(client.heardIn.isEmpty && client.heardOut.isEmpty && client.input.streamStatus == .open)
        scene.run(.zero)
        #expect(client.heardIn == ["open"] && client.heardOut == ["open", "space"])
        client.write(scene.bytes(10))
        scene.run(.seconds(1))
        // What comes early waits until the stream is opened.
        server.open()
        scene.run(.zero)
        #expect(server.heardIn == ["open", "bytes"] && server.received == scene.bytes(10))
    }

    @Test("A stream that is scheduled nowhere can be polled, and calls nobody")
    func polling() throws {
        let scene = try ChannelScene()
        scene.client.open = { Correspondent($0, opens: false) }
        scene.server.open = { Correspondent($0, opens: false) }
        let (client, server) = try scene.open()
        for end in [client, server] {
            end.input.delegate = end
            end.input.open()
            end.output.open()
        }
        client.write(scene.bytes(5_000))
        #expect(client.sent == 5_000)
        scene.run(.seconds(1))
        #expect(server.heardIn.isEmpty && server.input.hasBytesAvailable)
        server.pull()
        #expect(server.received == scene.bytes(5_000) && !server.input.hasBytesAvailable)
        // Scheduled late, it tells what is still to be told; removed, nothing more.
        server.input.schedule(in: .main, forMode: .default)
        client.write(scene.bytes(1))
        scene.run(.seconds(1))
        #expect(server.heardIn == ["open", "bytes"])
        server.input.remove(from: .main, forMode: .default)
        client.write(scene.bytes(1))
        scene.run(.seconds(1))
        #expect(server.heardIn == ["open", "bytes"] && server.input.hasBytesAvailable)
    }

    @Test("Bytes are reported again after a read that left some, and when more come [W17]")
    func bytesAgain() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        server.reads = false
        client.write(scene.bytes(100))
        scene.run(.seconds(1))
        #expect(server.heardIn == ["open", "bytes"])
        client.write(scene.bytes(100))
        scene.run(.seconds(1))
        #expect(server.heardIn == ["open", "bytes", "bytes"])
        var buffer = [UInt8](repeating: 0, count: 150)
        #expect(server.input.read(&buffer, maxLength: 150) == 150)
        scene.run(.zero)
        #expect(server.heardIn == ["open", "bytes", "bytes", "bytes"])
        #expect(server.input.read(&buffer, maxLength: 150) == 50)
        scene.run(.seconds(1))
        #expect(server.heardIn.count == 4)
    }

    @Test("Space is reported again after a write: at once if there is some left, else when there is again [W17]")
    func spaceAgain() throws {
        var settings = PhoneSettings()
        settings.channelSendBuffer = 12_000
        let scene = try ChannelScene(settings: settings)
        let (client, _) = try scene.open()
        scene.run(.zero)
        #expect(client.heardOut == ["open", "space"])
        var bytes = [UInt8](repeating: 7, count: 20_000)
        #expect(client.output.write(&bytes, maxLength: 1_000) == 1_000)
        scene.run(.zero)
        #expect(client.heardOut == ["open", "space", "space"])
        scene.run(.seconds(1))
        #expect(client.heardOut.count == 3)
        #expect(client.output.write(&bytes, maxLength: 20_000) == 12_000)
        #expect(!client.output.hasSpaceAvailable)
        scene.run(.seconds(1))
        #expect(client.heardOut.count > 3 && client.output.hasSpaceAvailable)
    }

    @Test("In virtual time nothing waits: an empty stream reads -1, a full one takes 0, and the developer is told once")
    func neverBlocks() throws {
        let scene = try ChannelScene()
        let (client, _) = try scene.open()
        var bytes = [UInt8](repeating: 7, count: 100_000)
        #expect(client.input.read(&bytes, maxLength: 10) == -1)
        #expect(client.input.streamError == nil && client.input.streamStatus == .open)
        #expect(client.output.write(&bytes, maxLength: 100_000) == 32_768)
        #expect(client.output.write(&bytes, maxLength: 100_000) == 0)
        #expect(client.input.read(&bytes, maxLength: 0) == 0 && client.output.write(&bytes, maxLength: 0) == 0)
        scene.run(.zero)
        let notes = scene.clientPhone.service.misuse.filter { $0.sentence.contains("stream") }
        #expect(notes.count == 1)
    }

    @Test("Streams have no properties, and no buffer to lend")
    func properties() throws {
        let scene = try ChannelScene()
        let (client, _) = try scene.open()
        #expect(client.input.property(forKey: .networkServiceType) == nil)
        #expect(client.output.property(forKey: .dataWrittenToMemoryStreamKey) == nil)
        #expect(!client.input.setProperty(nil, forKey: .networkServiceType))
        var pointer: UnsafeMutablePointer<UInt8>?
        var length = 0
        #expect(!client.input.getBuffer(&pointer, length: &length))
    }

    @Test("An app that writes a piece for each event, as in Apple's guide, sends it all")
    func pieceByPiece() throws {
        let scene = try ChannelScene()
        scene.client.open = { Correspondent($0, opens: false) }
        let (client, server) = try scene.open()
        let writer = PieceWriter(scene.bytes(100_000), client.output)
        try scene.wait("all received") { server.received.count == 100_000 }
        #expect(server.received == scene.bytes(100_000) && writer.events > 90)
    }
}

/// Writes a kilobyte each time it is told of space.
private final class PieceWriter: NSObject, StreamDelegate {
    private var left: Data
    private(set) var events = 0

    init(_ data: Data, _ output: OutputStream) {
        left = data
        super.init()
        output.delegate = self
        output.schedule(in: .current, forMode: .common)
        output.open()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        guard event == .hasSpaceAvailable, !left.isEmpty, let output = stream as? OutputStream else { return }
        events += 1
        let count = left.withUnsafeBytes { bytes in
            output.write(bytes.bindMemory(to: UInt8.self).baseAddress!, maxLength: min(1_024, bytes.count))
        }
        left = Data(left.dropFirst(count))
    }
}
