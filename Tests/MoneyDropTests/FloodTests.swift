import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatMoneyDrop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import Testing

@Suite("One who is everybody")
struct FloodTests {
    @Test("A sender that hears one address after another keeps the last ones, and still finds whom to pay")
    func addresses() throws {
        let scene = MoneyScene(logsAir: false)
        let ben = scene.add("Ben") { $0.mostUnknown = 16 }
        ben.drop.look(true)
        let radio = scene.air.world.addRawRadio(named: "Mallory", at: .metres(x: 1))
        let data = AdvertisingData([
            .uuids(.completeUUIDs128, [try #require(BluetoothUUID("\(MoneyDropUUIDs.service)"))])
        ])
        for number in 0..<300 {
            let address = DeviceAddress(value: 0xC605_0403_0000 + UInt64(number), kind: .random)
            let pdu = AdvertisingPDU.advInd(advertiser: address, data: data.bytes, supportsChannelSelection2: false)
            radio.advertise(pdu, at: scene.air.world.now + .milliseconds(15 + 15 * Int64(number)))
        }
        var most = 0
        for _ in 0..<50 {
            scene.air.run(for: .milliseconds(100))
            most = max(most, ben.screen.people.count)
        }
        #expect(most == 16, "\(most)")
        let anna = scene.add("Anna")
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(60))
        #expect(ben.screen.people.count <= 16)
        try ben.send(1250, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(30))
    }
}
