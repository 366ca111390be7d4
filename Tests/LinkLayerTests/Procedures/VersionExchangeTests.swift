import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Version exchange")
struct VersionExchangeTests {
    private static let own = ControlPDU.versionInd(
        VersionIndication(version: 0x0D, companyIdentifier: 0xFFFF, subversion: 1)
    )
    private static let theirs = ControlPDU.versionInd(
        VersionIndication(version: 9, companyIdentifier: 13, subversion: 0x1234)
    )

    private func complete(_ link: LinkTester) -> Event {
        .readRemoteVersionInformationComplete(
            ReadRemoteVersionInformationComplete(
                connection: link.handle,
                version: 9,
                companyIdentifier: 13,
                subversion: 0x1234
            )
        )
    }

    private func links() throws -> [LinkTester] {
        [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()]
    }

    @Test("LL/CON/PER/BV-20-C, LL/CON/CEN/BV-21-C: asked, each side tells its version, but only once")
    func answers() throws {
        for link in try links() {
            #expect(try link.ask(Self.theirs) == Self.own)
            #expect(try link.send(Self.theirs).isEmpty)
            try link.idle(events: 3)
            // The host learns it without another word on the air.
            try link.bench.succeed(
                .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: link.handle))
            )
            #expect(try link.bench.nextEvent() == complete(link))
            try link.idle(events: 3)
        }
    }

    @Test("LL/CON/PER/BV-19-C, LL/CON/CEN/BV-20-C: the host asks, and is told")
    func hostAsks() throws {
        for link in try links() {
            let command = Command.readRemoteVersionInformation(
                ReadRemoteVersionInformation(connection: link.handle)
            )
            try link.bench.succeed(command)
            #expect(try link.nextControl() == Self.own)
            #expect(try link.bench.status(of: command) == .commandDisallowed)
            #expect(try link.send(Self.theirs).isEmpty)
            #expect(try link.bench.nextEvent() == complete(link))
            try link.idle(events: 3)
        }
    }

    //  Controller       Lower Tester
    //      | LL_VERSION_IND   |
    //      |----------------->|
    //      |                  |   nothing for 40 s
    //   Read Remote Version Information Complete, Disconnection Complete: LL response timeout (0x22)
    @Test("Without an answer the link ends after 40 s with LL response timeout, the host's question answered first")
    func timeout() throws {
        for link in try links() {
            try link.bench.succeed(
                .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: link.handle))
            )
            let begin = link.bench.now
            while link.bench.packets.isEmpty, link.bench.now < begin + .seconds(41) { try link.exchange() }
            let events = try link.bench.takeEvents()
            #expect(events.count == 2)
            guard case .readRemoteVersionInformationComplete(let complete)? = events.first else {
                Issue.record("\(events)")
                continue
            }
            #expect(complete.status == .linkLayerResponseTimeout)
            let ending = DisconnectionComplete(connection: link.handle, reason: .linkLayerResponseTimeout)
            #expect(events.last == .disconnectionComplete(ending))
            let lasted = link.bench.now - begin
            #expect(lasted >= .seconds(40) && lasted <= .milliseconds(40_100))
        }
    }
}
