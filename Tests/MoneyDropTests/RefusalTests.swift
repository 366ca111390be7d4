import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhones
import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@Suite("What is refused, and shown as such")
struct RefusalTests {
    private let scene = MoneyScene()
    private let anna: Owner
    private let mallory: Stranger
    private let ben: BankAccount

    init() throws {
        anna = scene.add("Anna")
        mallory = scene.air.addPhone(named: "Mallory").addApp().run { Stranger() }
        ben = try scene.ask(OpenAccount(name: "Ben", currency: .euro))
        let mallory = mallory
        try scene.air.run(until: mallory.isReady, within: .seconds(5))
    }

    /// Pays to whom the details are of, and gets the receipt.
    private func pay(_ minorUnits: Int64, token: Data) throws -> Receipt {
        let order = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: minorUnits, .euro))
        guard case .done(let receipt, _) = try scene.ask(order, as: ben.credentials) else { throw CancellationError() }
        return try Receipt(receipt, from: ben.bankKey)
    }

    private func write(_ bytes: Data) throws -> Int? {
        let count = mallory.answers.count
        mallory.write(bytes)
        try scene.air.run(until: mallory.answers.count > count, within: .seconds(3))
        scene.air.run(for: .seconds(1))
        return mallory.answers.last ?? nil
    }

    @Test("The service has details to read, a message to write with a response, a PSM to read and to be told of")
    func service() {
        #expect(mallory.properties[MoneyDropUUIDs.details] == .read)
        #expect(mallory.properties[MoneyDropUUIDs.message] == .write)
        #expect(mallory.properties[MoneyDropUUIDs.psm] == [.read, .indicate])
        let tail = "-0000-1000-8000-00805F9B34FB"
        #expect(MoneyDropUUIDs.service.uuidString.count == 36 && !MoneyDropUUIDs.service.uuidString.hasSuffix(tail))
    }

    @Test("Details are no account number: nothing in them is the account's")
    func details() throws {
        let details = try #require(mallory.details)
        let account = anna.credentials.account
        #expect(withUnsafeBytes(of: account.uuid) { details.range(of: Data($0)) } == nil)
        #expect(details.range(of: Data(account.uuidString.utf8)) == nil)
    }

    @Test("A real receipt counts once; the second time it is a replay")
    func replay() throws {
        let receipt = try pay(500, token: try #require(mallory.details))
        #expect(try write(receipt.bytes) == nil)
        let came = Notice.received(transfer: receipt.content.transfer, amount: receipt.content.amount, payer: "Ben")
        #expect(anna.screen.notices == [came])
        for _ in 0..<3 { #expect(try write(receipt.bytes) == 0x82) }
        let again = Notice.refused(because: .replayed, amount: receipt.content.amount, payer: "Ben")
        #expect(anna.screen.notices == [came, again, again, again])
        #expect(try scene.balance(anna) == 10_500)
    }

    @Test("A receipt that the bank has not signed is forged")
    func forged() throws {
        var content = try pay(500, token: try #require(mallory.details)).content
        content.transfer = UUID()
        #expect(try write(Receipt(signing: content, with: BankSigningKey()).bytes) == 0x81)
        #expect(anna.screen.notices == [.refused(because: .forged, amount: content.amount, payer: "Ben")])
    }

    @Test("A receipt with another amount is refused as that; what the bank has is shown")
    func changed() throws {
        let receipt = try pay(500, token: try #require(mallory.details))
        var bytes = receipt.bytes
        // The lowest byte of the amount.
        bytes[33] ^= 0x40
        #expect(try write(bytes) == 0x81)
        let claimed = try Receipt.claim(in: bytes).amount
        #expect(claimed != receipt.content.amount)
        #expect(
            anna.screen.notices == [
                .refused(because: .changedAmount, amount: claimed, payer: "Ben"),
                .received(transfer: receipt.content.transfer, amount: receipt.content.amount, payer: "Ben"),
            ]
        )
    }

    @Test("A receipt of somebody else's transfer is real, and not for this phone")
    func notMine() throws {
        let carol = try scene.ask(OpenAccount(name: "Carol", currency: .euro))
        let token = try scene.ask(AskToken(version: 2, photo: nil), as: carol.credentials).token
        let receipt = try pay(500, token: token)
        #expect(try write(receipt.bytes) == nil)
        #expect(
            anna.screen.notices == [.refused(because: .notMine, amount: receipt.content.amount, payer: "Ben")]
        )
        #expect(try scene.balance(anna) == 10_000)
    }

    @Test("What is no receipt, of another version, or cut off is refused", arguments: [0, 1, 50, 119, 121, 400])
    func malformed(length: Int) throws {
        let receipt = try pay(500, token: try #require(mallory.details)).bytes
        let bytes = Data((receipt + Data(count: 400)).prefix(length))
        #expect(try write(bytes) == 0x80)
        #expect(anna.screen.notices == [.refused(because: .malformed, amount: nil, payer: nil)])
        #expect(try write(Data([9]) + receipt.dropFirst()) == 0x83)
    }

    @Test("While the bank is not there a receipt waits, and is shown when the bank has confirmed it")
    func bankAway() throws {
        anna.bank.fault = { _ in .lostBefore }
        let receipt = try pay(500, token: try #require(mallory.details))
        #expect(try write(receipt.bytes) == nil)
        #expect(anna.screen.notices.isEmpty && anna.screen.unconfirmedCount == 1)
        #expect(anna.screen.problem == "the bank cannot be reached")
        anna.bank.fault = { _ in .none }
        let anna = anna
        try scene.air.run(until: anna.screen.notices.count == 1, within: .seconds(31))
        #expect(anna.screen.unconfirmedCount == 0 && anna.screen.problem == nil)
    }

    @Test("A stranger's refused receipts do not fill the wallet, nor push out what has come")
    func flood() throws {
        let receipt = try pay(500, token: try #require(mallory.details))
        #expect(try write(receipt.bytes) == nil)
        for _ in 0..<150 { mallory.write(Data([1])) }
        let mallory = mallory
        try scene.air.run(until: mallory.answers.count == 151, within: .seconds(60))
        #expect(anna.screen.notices.count == 101)
        guard case .received = anna.screen.notices[0] else {
            Issue.record("what has come is gone")
            return
        }
    }
}

@Suite("Recipients that are not as they should be")
struct OddRecipientTests {
    private func impostor(
        _ scene: MoneyScene,
        details: Data? = nil,
        properties: CBCharacteristicProperties = .write,
        answers: Bool = true
    ) throws -> Impostor {
        let carol = try scene.ask(OpenAccount(name: "Carol", currency: .euro))
        let token = try scene.ask(AskToken(version: 2, photo: nil), as: carol.credentials).token
        return scene.air.addPhone(named: "odd").addApp().run {
            Impostor(details: details ?? token, properties: properties, answers: answers)
        }
    }

    @Test("An older recipient without photos and channel is paid like any other")
    func olderVersion() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(1_000)) { $0.version = .first }
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        #expect(ben.sees(anna)?.photo == .olderVersion)
        _ = try ben.send(700, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(5))
        try scene.air.run(until: anna.screen.notices.count == 1, within: .seconds(1))
        #expect(try scene.balance(anna) == 10_700)
    }

    @Test("One that takes messages without a response only is named as such, before any money moves")
    func writeType() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        let carol = try impostor(scene, properties: .writeWithoutResponse)
        ben.drop.look(true)
        try scene.air.run(until: ben.screen.people.first?.name != nil, within: .seconds(5))
        let person = try #require(ben.screen.people.first)
        let problem = """
            Carol's MoneyDrop takes messages without a response only, this one writes them with a response; update the \
            older of the two
            """
        #expect(person.problem == problem && !person.canBePaid)
        #expect(throws: MoneyDropApp.SendError.impossible(problem)) {
            try ben.drop.send(Money(minorUnits: 1, .euro), to: person.id)
        }
        #expect(carol.writes == 0)
    }

    @Test("One that never answers a message is named after three tries, rather than silence for ever")
    func silence() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        let carol = try impostor(scene, answers: false)
        ben.drop.look(true)
        try scene.air.run(until: ben.screen.people.first?.canBePaid == true, within: .seconds(5))
        _ = try ben.drop.send(Money(minorUnits: 700, .euro), to: try #require(ben.screen.people.first).id)
        try scene.air.run(within: .seconds(60)) {
            if case .untold = ben.screen.outgoing[0].state { true } else { false }
        }
        #expect(
            ben.screen.outgoing[0].state
                == .untold(
                    because: "Carol's phone does not answer to messages; it may expect them without a response"
                )
        )
        #expect(carol.writes == 3)
    }

    @Test("One that shows somebody else's details, and then its own, is not paid before people can have seen it")
    func twoFaces() throws {
        let scene = MoneyScene(tokenLifetime: 40)
        let ben = scene.add("Ben")
        func token(of name: String) throws -> Data {
            let account = try scene.ask(OpenAccount(name: name, currency: .euro))
            return try scene.ask(AskToken(version: 2, photo: nil), as: account.credentials).token
        }
        let rogue = TwoFaces(details: try token(of: "Anna")), own = try token(of: "Mallory")
        scene.air.addPhone(named: "odd").addApp().run { rogue.begin() }
        ben.drop.look(true)
        try scene.air.run(until: ben.screen.people.first?.canBePaid == true, within: .seconds(5))
        let person = try #require(ben.screen.people.first)
        #expect(person.name == "Anna")
        rogue.details = own
        // The details are read anew by and by.
        try scene.air.run(until: ben.screen.people.first?.name == "Mallory", within: .seconds(15))
        let problem = "this phone shows another name or photo than before; look whom you pay"
        #expect(ben.screen.people.first?.problem == problem && ben.screen.people.first?.canBePaid == false)
        #expect(ben.screen.people.first?.hasJustChanged == true)
        // The finger was on its way to Anna.
        #expect(throws: MoneyDropApp.SendError.impossible(problem)) {
            try ben.drop.send(Money(minorUnits: 700, .euro), to: person.id)
        }
        scene.air.run(for: .seconds(4))
        #expect(ben.screen.outgoing.isEmpty && ben.screen.people.first?.canBePaid == true)
        #expect(ben.screen.people.first?.hasJustChanged == false)
        try ben.drop.send(Money(minorUnits: 700, .euro), to: person.id)
        #expect(ben.screen.outgoing.map(\.recipient) == ["Mallory"])
    }

    @Test("Details that the bank has not signed, of a later version, or none at all: do not pay", arguments: 0..<3)
    func details(kind: Int) throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        var content = PayeeToken.Content(
            id: UUID(),
            expiry: 1_800_000_000,
            lifetime: 300,
            currency: .euro,
            name: "Carol",
            photo: nil
        )
        let problem: String
        switch kind {
        case 0: problem = "the details of this phone are not signed by the bank; do not pay to it"
        case 1: problem = "this phone has version 3 of MoneyDrop's details; update MoneyDrop here"
        default: problem = "what this phone shows as its details is none; do not pay to it"
        }
        content.name = "Carol"
        var bytes = PayeeToken(signing: content, with: BankSigningKey()).bytes
        if kind == 1 { bytes[0] = 3 }
        if kind == 2 { bytes = Data([2, 1, 2, 3]) }
        let carol = try impostor(scene, details: bytes)
        ben.drop.look(true)
        try scene.air.run(until: ben.screen.people.first?.problem != nil, within: .seconds(5))
        #expect(ben.screen.people[0].problem == problem && !ben.screen.people[0].canBePaid)
        #expect(carol.writes == 0)
    }
}
