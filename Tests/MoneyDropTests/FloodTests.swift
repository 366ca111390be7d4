import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatMoneyTerms
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatMoneyDrop

@Suite("One who is everybody")
struct FloodTests {
    @Test("A bank whose tokens have no life is asked again as one that has not answered, and not all the time")
    func lifelessTokens() throws {
        let scene = MoneyScene(tokenLifetime: 0)
        let anna = scene.add("Anna")
        scene.air.run(for: .seconds(60))
        let questions = anna.bank.requests.count { $0.name == AskToken.name }
        #expect((10...130).contains(questions), "\(questions) questions")
    }

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

    @Test("Of phones that show details of the bank and go, under one address after another, the last are remembered")
    func details() throws {
        let scene = MoneyScene(logsAir: false)
        let ben = scene.add("Ben") { $0.mostGone = 3 }
        ben.drop.look(true)
        let mallory = try scene.ask(OpenAccount(name: "Mallory", currency: .euro))
        let details = try scene.ask(AskToken(version: 2, photo: nil), as: mallory.credentials).token
        for number in 1...6 {
            let phone = scene.air.addPhone(named: "Mallory \(number)")
            let impostor = phone.addApp().run { Impostor(details: details) }
            try scene.air.run(
                until: ben.screen.people.last { $0.isConnected }?.name == "Mallory",
                within: .seconds(20)
            )
            scene.air.world.move(phone.device, to: .metres(x: 100_000))
            try scene.air.run(until: !ben.screen.people.contains(where: \.isConnected), within: .seconds(20))
            #expect(ben.screen.people.count == min(number, 3), "\(number)")
            withExtendedLifetime(impostor) {}
        }
    }
}
