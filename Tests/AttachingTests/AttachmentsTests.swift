import BluethroatAttaching
import BluethroatEvents
import BluethroatHCIServing
import BluethroatHCITransports
import BluethroatLive
import BluethroatVirtualTime
import Foundation
import Synchronization
import Testing

/// Writes what happens into a stream.
private final class StreamedWriter: OutputWriter {
    private let stream: AsyncStream<AttachEvent>.Continuation
    let place = Mutex<RadioPlace?>(nil)

    init(_ stream: AsyncStream<AttachEvent>.Continuation) { self.stream = stream }

    func begin(_ radio: RadioPlace, _ events: EventSink<AttachEvent>) { place.withLock { $0 = radio } }
    func write(_ event: AttachEvent) { stream.yield(event) }
    func fail(_ message: String, at now: Instant) {}
    func warn(_ message: String) {}
    func panel(_ url: String, token: String) {}
    func misbehaved(_ message: String) {}
    func hint(_ message: String) {}
    func end() { stream.finish() }
}

/// A host that asks a controller who it is.
private func addressOfController(at endpoint: HCIEndpoint) async throws -> [UInt8] {
    let (answers, answered) = AsyncStream.makeStream(of: [UInt8].self)
    let transport = try await endpoint.open(
        HCITransportCallbacks(
            received: { batch in for packet in batch.packets { answered.yield(packet) } },
            ended: { _ in answered.finish() }
        )
    )
    transport.send([0x01, 0x09, 0x10, 0x00])
    let answer = try #require(await answers.first { $0.count == 13 && $0[4...6] == [0x09, 0x10, 0x00] })
    transport.close()
    return Array(answer[7...])
}

@Suite("Hosts that are given controllers", .timeLimit(.minutes(2)))
struct AttachmentsTests {
    private let folder = NSTemporaryDirectory() + "bluethroat-\(UUID().uuidString.prefix(8))"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }

    private var places: [HCIListeningPlace] {
        #if os(Linux)
            [.unix(path: folder + "/socket"), .pty(path: folder + "/line")]
        #else
            [.unix(path: folder + "/socket")]
        #endif
    }

    /// Runs a piece of work while hosts can attach, ends it then, and answers where the controllers were.
    private func attached(
        on air: Attachments.Air,
        _ settings: LiveSessionSettings,
        _ work: (RadioPlace) async throws -> Void
    ) async throws -> [AttachEvent] {
        let (events, happened) = AsyncStream.makeStream(of: AttachEvent.self)
        let writer = StreamedWriter(happened)
        let (sinks, opened) = AsyncStream.makeStream(of: EventSink<AttachEvent>.self)
        let places = places
        let run = Task {
            try await Attachments(places: places).run(on: air, settings, writer) { opened.yield($0) }
        }
        let sink = try #require(await sinks.first { _ in true })
        var seen: [AttachEvent] = []
        var iterator = events.makeAsyncIterator()
        while seen.count < places.count, let event = await iterator.next() { seen.append(event) }
        #expect(seen == places.map { .offered($0) })
        try await work(try #require(writer.place.withLock { $0 }))
        sink.end()
        try await run.value
        while let event = await iterator.next() { seen.append(event) }
        return seen
    }

    private var ownAir: LiveSessionSettings {
        var settings = LiveSessionSettings(radio: .air(listeningOn: .tcp(HostPort(host: "127.0.0.1", port: 0))))
        settings.panel = nil
        settings.seed = 7
        return settings
    }

    @Test("On an air of its own each host has a controller of its own, and nothing is left at the end")
    func ownAirTest() async throws {
        let events = try await attached(on: .own, ownAir) { radio in
            guard case .air(let port) = radio else {
                Issue.record("there is no air")
                return
            }
            var addresses: Set<[UInt8]> = []
            for place in [port] + places { addresses.insert(try await addressOfController(at: place.endpoint)) }
            #expect(addresses.count == 1 + places.count)
        }
        for place in places {
            #expect(events.contains(AttachEvent.came(place, host: 1)))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("On the air of another command a host is one of its clients")
    func joined() async throws {
        let (others, came) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0)) { transport in
            HCITransportCallbacks(
                received: { batch in
                    for packet in batch.packets {
                        came.yield(packet)
                        // HCI_Command_Complete of HCI_Read_Local_Version_Information, or of HCI_Read_BD_ADDR.
                        transport.send(
                            packet[1] == 0x01
                                ? [0x04, 0x0E, 0x0C, 0x01, 0x01, 0x10, 0x00, 0x0D, 1, 0, 0x0D, 0xFF, 0xFF, 1, 0]
                                : [0x04, 0x0E, 0x0A, 0x01, 0x09, 0x10, 0x00, 1, 2, 3, 4, 5, 6]
                        )
                    }
                },
                ended: { _ in }
            )
        }
        _ = try await attached(on: .at(server.place.endpoint), LiveSessionSettings()) { radio in
            guard case .controller(server.place.endpoint) = radio else {
                Issue.record("another air")
                return
            }
            for place in places {
                let address = try await addressOfController(at: place.endpoint)
                #expect(address == [1, 2, 3, 4, 5, 6])
            }
        }
        came.finish()
        var asked = 0
        for await packet in others where packet == [0x01, 0x09, 0x10, 0x00] { asked += 1 }
        #expect(asked == places.count)
        await server.close()
    }

    @Test("A host whose controller cannot be had, or is gone, is hung up on, and a line says why")
    func lostAir() async throws {
        let server = try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0)) { transport in
            HCITransportCallbacks(received: { _ in transport.close() }, ended: { _ in })
        }
        let endpoint = server.place.endpoint
        let events = try await attached(on: .at(endpoint), LiveSessionSettings()) { _ in
            for isThere in [true, false] {
                if !isThere { await server.close() }
                let (ends, ended) = AsyncStream.makeStream(of: HCITransportEnd.self)
                let host = try await places[0].endpoint.open(
                    HCITransportCallbacks(received: { _ in }, ended: { ended.yield($0) })
                )
                host.send([0x01, 0x03, 0x0C, 0x00])
                #expect(await ends.first { _ in true } == .closedByPeer)
            }
        }
        let reasons = events.compactMap { event in
            if case .went(_, _, let reason?) = event { reason } else { nil }
        }
        #expect(reasons.count == 2)
        #expect(reasons.first?.hasPrefix("\(endpoint): the other side closed the connection") == true)
        #expect(reasons.last?.contains("nothing listens on") == true)
    }

    @Test("An address at which nothing listens is refused, and what cannot be made takes what was made with it")
    func refusals() async throws {
        let nobody = HCIEndpoint.tcp(HostPort(host: "127.0.0.1", port: 1))
        let (_, happened) = AsyncStream.makeStream(of: AttachEvent.self)
        let refused = await #expect(throws: OperationFailure.self) {
            try await Attachments(places: places).run(on: .at(nobody), LiveSessionSettings(), StreamedWriter(happened))
            {
                _ in
            }
        }
        #expect(refused?.message.contains("leave out --controller") == true)
        let bad: [HCIListeningPlace] = places + [.unix(path: "/nonexistent/hci")]
        let failed = await #expect(throws: OperationFailure.self) {
            try await Attachments(places: bad).run(on: .own, ownAir, StreamedWriter(happened)) { _ in }
        }
        #expect(failed?.message.contains("unix:/nonexistent/hci") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
