import BluethroatHCIServing
import Foundation
import Testing

@testable import BluethroatHCITransports

@Suite("Who is at an address", .timeLimit(.minutes(1)))
struct OccupantTests {
    /// HCI_Command_Complete of HCI_Read_Local_Version_Information.
    private static let version: [UInt8] = [
        0x04, 0x0E, 0x0C, 0x01, 0x01, 0x10, 0x00, 0x0D, 1, 0, 0x0D, 0xFF, 0xFF, 1, 0,
    ]

    private func listen(answering answer: [UInt8]) async throws -> HCIServer {
        try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0)) { transport in
            HCITransportCallbacks(received: { _ in transport.send(answer) }, ended: { _ in })
        }
    }

    @Test("A controller says its version; what says something else, nothing, or hangs up is a stranger")
    func answers() async throws {
        let controller = try await listen(answering: Self.version)
        #expect(await controller.place.endpoint.occupant() == .controller)
        let other = try await listen(answering: Samples.commandComplete)
        #expect(await other.place.endpoint.occupant(within: .milliseconds(100)) == .stranger)
        let rude = try await listen(answering: Samples.reset)
        #expect(await rude.place.endpoint.occupant() == .stranger)
        let endpoint = controller.place.endpoint
        await controller.close()
        #expect(await endpoint.occupant() == .nobody)
        await other.close()
        await rude.close()
    }

    @Test("A second world at the same port is told so, and how to join the first; another program is no world")
    func secondWorld() async throws {
        let first = try await listen(answering: Self.version)
        let error = await #expect(throws: HCITransportError.self) {
            try await HCIServer.listen(at: first.place) { _ in Witness().callbacks }
        }
        let text = error?.description ?? ""
        #expect(text.contains("another world is at port \(first.address.port)"))
        #expect(text.contains("--controller tcp:127.0.0.1:\(first.address.port)"))
        await first.close()
        let stranger = try await listen(answering: Samples.reset)
        let other = await #expect(throws: HCITransportError.self) {
            try await HCIServer.listen(at: stranger.place) { _ in Witness().callbacks }
        }
        #expect(other?.description.contains("offers no controllers") == true)
        await stranger.close()
    }

    @Test(
        "A client that has taken the port for something else is called by its language",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", "it speaks HTTP"), ("SSH-2.0-x\r\n", "it speaks SSH"),
            ("\u{16}\u{3}\u{1}\u{2}", "it speaks TLS"), ("hello", "the byte 104 is no HCI packet indicator"),
        ]
    )
    func language(text: String, answer: String) {
        var incoming = IncomingPackets(from: .host)
        incoming.append(Samples.reset)
        #expect(throws: Never.self) { try incoming.next() }
        incoming.append(Array(text.utf8))
        let garbage = #expect(throws: IncomingPackets.Garbage.self) { try incoming.next() }
        #expect(garbage?.description.hasPrefix(answer) == true)
    }
}
