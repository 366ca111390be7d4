import Foundation
import Testing

@testable import BluethroatHCITransports

@Suite("Controllers behind sockets and terminal lines of this machine", .timeLimit(.minutes(1)))
struct LineTests {
    @Test("Over a pseudo-terminal every byte value arrives as it was sent, both ways", arguments: ["pty", "serial"])
    func pseudoTerminal(kind: String) async throws {
        let pty = try PseudoTerminal()
        let witness = Witness()
        let line = try await HCIEndpoint(parsing: "\(kind):\(pty.path)").open(witness.callbacks)
        // 0x03, 0x04, 0x0A, 0x0D, 0x11, 0x13 and 0x7F mean something to a terminal that is not raw.
        let every: [UInt8] = [0x02, 0x40, 0x00, 0x00, 0x01] + (0...255).map { UInt8($0) }
        line.send(every)
        line.send(Samples.reset)
        #expect(pty.read(every.count + 4) == every + Samples.reset)
        pty.write(every + Samples.commandComplete)
        #expect(await witness.packets(2) == [every, Samples.commandComplete])
        line.close()
        #expect(await witness.end() == .closedHere)
    }

    @Test("A packet that comes in pieces is one packet")
    func pieces() async throws {
        let pty = try PseudoTerminal()
        let witness = Witness()
        let line = try await HCIEndpoint.pty(path: pty.path).open(witness.callbacks)
        for byte in Samples.commandComplete + Samples.acl(3) { pty.write([byte]) }
        #expect(await witness.packets(2) == [Samples.commandComplete, Samples.acl(3)])
        line.close()
    }

    @Test("When the other side of a pseudo-terminal closes, the link ends")
    func hangUp() async throws {
        let pty = try PseudoTerminal()
        let witness = Witness()
        let line = try await HCIEndpoint.pty(path: pty.path).open(witness.callbacks)
        pty.write(Samples.commandComplete + Samples.acl(20).prefix(7))
        _ = await witness.packets(1)
        pty.close()
        let end = await witness.end()
        #expect(end == .cutMidPacket || end == .closedByPeer)
        line.send(Samples.reset)
        #expect(witness.ends.count == 1)
    }

    @Test("Garbage on a line ends the link")
    func garbage() async throws {
        let pty = try PseudoTerminal()
        let witness = Witness()
        _ = try await HCIEndpoint.pty(path: pty.path).open(witness.callbacks)
        pty.write(Array("U-Boot 2026.01\r\n".utf8))
        guard case .notHCI = await witness.end() else {
            Issue.record("the link lives on")
            return
        }
    }

    @Test("A line whose other side does not read is given up when the backlog is full")
    func slow() async throws {
        let pty = try PseudoTerminal()
        let witness = Witness()
        let line = try await HCIEndpoint.pty(path: pty.path).open(witness.callbacks)
        for _ in 0..<200 { line.send(Samples.acl(60_000)) }
        #expect(await witness.end() == .peerTooSlow)
    }

    @Test("An owner that keeps what a line gives it is not given more than it can hold")
    func backPressure() async throws {
        let pty = try PseudoTerminal()
        let witness = Witness(keepsBatches: true)
        let line = try await HCIEndpoint.pty(path: pty.path).open(witness.callbacks)
        let packet = Samples.acl(10_000)
        Thread.detachNewThread { for _ in 0..<100 { pty.write(packet) } }
        var have = await witness.packets(HCITransportLimits.unconsumed / packet.count).count
        #expect(have < 100)
        while have < 100 {
            witness.letGo()
            have = await witness.packets(have + 1).count
        }
        line.close()
    }

    @Test("A Unix socket carries packets both ways")
    func unixSocket() async throws {
        let path = NSTemporaryDirectory() + "bluethroat-\(UUID().uuidString.prefix(8))"
        let listener = try UnixListener(path: path)
        let witness = Witness()
        let link = try await HCIEndpoint.unix(path: path).open(witness.callbacks)
        let peer = try listener.accept()
        link.send(Samples.reset)
        #expect(peer.read(4) == Samples.reset)
        peer.write(Samples.commandComplete)
        #expect(await witness.packets(1) == [Samples.commandComplete])
        peer.close()
        #expect(await witness.end() == .closedByPeer)
        listener.close()
    }

    @Test("A controller whose process dies, between packets or within one, ends the link; sending to it is no signal")
    func deadPeer() async throws {
        for (rest, end) in [([], .closedByPeer), ([0x04, 0x0E, 0x04], .cutMidPacket)] as [([UInt8], HCITransportEnd)] {
            let path = NSTemporaryDirectory() + "bluethroat-\(UUID().uuidString.prefix(8))"
            let listener = try UnixListener(path: path)
            let witness = Witness()
            let link = try await HCIEndpoint.unix(path: path).open(witness.callbacks)
            let peer = try listener.accept()
            link.send(Samples.reset)
            #expect(peer.read(4) == Samples.reset)
            peer.write(rest)
            peer.close()
            // More than the system takes for a peer that is gone.
            for _ in 0..<100 { link.send(Samples.acl(1_000)) }
            #expect(await witness.end() == end)
            for _ in 0..<10 { link.send(Samples.reset) }
            listener.close()
        }
    }

    @Test(
        "What is not there is an error of one line",
        arguments: [
            ("unix:/nonexistent/hci", "there is no socket /nonexistent/hci"), ("pty:/nonexistent/pty", "there is no"),
            ("serial:/dev/null", "no serial line"), ("tcp:127.0.0.1:1", "nothing listens on 127.0.0.1:1"),
            ("tcp:no-such-host.invalid:6402", "no host is called no-such-host.invalid"),
            ("unix:/tmp", "nothing listens on /tmp"),
            ("unix:/" + String(repeating: "a", count: 200), "cannot connect to /aaa"),
        ]
    )
    func absent(text: String, message: String) async throws {
        let endpoint = try HCIEndpoint(parsing: text)
        let error = await #expect(throws: HCITransportError.self) { try await endpoint.open(Witness().callbacks) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    #if os(Linux)
        @Test("An adapter that cannot be had is an error of one line that says what is missing")
        func adapter() async throws {
            let error = await #expect(throws: HCITransportError.self) {
                // No machine has so many.
                try await HCIEndpoint.userChannel(index: 4_242).open(Witness().callbacks)
            }
            let text = error?.description ?? ""
            #expect(["no Bluetooth", "CAP_NET_ADMIN", "no adapter hci4242"].contains { text.contains($0) }, "\(text)")
            #expect(UserChannel.explain(EPERM, 0).description.contains("CAP_NET_ADMIN"))
            #expect(UserChannel.explain(EBUSY, 0).description.contains("hciconfig hci0 down"))
            #expect(UserChannel.explain(ENODEV, 3).description.contains("no adapter hci3"))
            #expect(UserChannel.explain(EAFNOSUPPORT, 0).description.contains("kernel has no Bluetooth"))
        }
    #endif
}
