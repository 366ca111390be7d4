import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Event masks")
struct EventMaskTests {
    @Test("As long as the host has enabled nothing, no LE event comes, and everything else goes on")
    func standard() throws {
        let bench = try Bench(events: false)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        let pdu = AdvertisingPDU.advNonconnInd(advertiser: Bench.testerAddress, data: [])
        for _ in 0..<5 { bench.advertise(pdu) }
        #expect(bench.takePackets().isEmpty)
    }

    @Test("LE events need their own bit and the one of the LE Meta event")
    func both() throws {
        let bench = try Bench(events: false)
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        let pdu = AdvertisingPDU.advNonconnInd(advertiser: Bench.testerAddress, data: [])
        try bench.succeed(.leSetEventMask(LESetEventMask(mask: .advertisingReport)))
        bench.advertise(pdu)
        #expect(bench.takePackets().isEmpty)
        try bench.succeed(.setEventMask(SetEventMask(mask: [.leMeta])))
        bench.advertise(pdu)
        #expect(bench.takePackets().count == 1)
        try bench.succeed(.leSetEventMask(LESetEventMask(mask: [])))
        bench.advertise(pdu)
        #expect(bench.takePackets().isEmpty)
    }

    @Test("Disconnection Complete and others of the first page can be masked; completed packets cannot")
    func firstPage() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try bench.succeed(.setEventMask(SetEventMask(mask: [.leMeta])))
        try link.exchange()
        bench.send([2, 0, 0, 1, 0, 9])
        try link.idle(events: 0)
        for _ in 0..<3 { try link.exchange() }
        #expect(try bench.takeEvents().count == 1)
        try bench.succeed(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: link.handle)))
        _ = try link.nextControl()
        try link.send(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1)))
        #expect(bench.takePackets().isEmpty)
        bench.run(for: .seconds(3))
        #expect(bench.takePackets().isEmpty)
        #expect(
            try bench.status(of: .readRSSI(ReadRSSI(connection: link.handle))) == .unknownConnectionIdentifier
        )
    }
}
