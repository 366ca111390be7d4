import BluethroatMoneyBank
import BluethroatMoneyTerms
import BluethroatTesting
import CoreBluetooth
import Foundation
import FuzzInputs

@testable import BluethroatMoneyDrop

/// Anna's MoneyDrop, found by a stranger who writes receipts, real ones and others, and asks for her photo in any words.
struct VictimRecipient {
    private let scene = MoneyScene(logsAir: false)
    private let anna: Owner
    private let stranger: Stranger
    private let ben: BankAccount
    /// Real ones, of transfers to Anna.
    private var receipts: [Receipt] = []

    init() throws {
        anna = scene.add("Anna", photo: picture(700)) {
            Self.hurry(&$0)
            // Whoever is there may speak on the channel at once.
            $0.encryptsChannel = false
        }
        stranger = scene.air.addPhone(named: "stranger").addApp().run { Stranger() }
        ben = try scene.ask(OpenAccount(name: "Ben", currency: .euro))
        let stranger = stranger
        try scene.air.run(until: stranger.isReady, within: .seconds(5))
    }

    mutating func step(_ input: inout FuzzInput) throws {
        switch input.index(12) {
        case 0, 1: if receipts.count < 4 { stranger.write(try pay(Int64(1 + input.index(200)))) }
        case 2: if !receipts.isEmpty { stranger.write(input.pick(receipts).bytes) }
        case 3: if !receipts.isEmpty { stranger.write(Data(input.mutate([UInt8](input.pick(receipts).bytes)))) }
        case 4:
            stranger.write(Data(input.bytes(input.index(200))), type: input.pick([.withResponse, .withoutResponse]))
        case 5: stranger.openChannel()
        case 6, 7: stranger.say(input.index(3) == 0 ? Data(input.bytes(input.index(50))) : request(&input))
        case 8: stranger.closeChannel()
        case 9:
            let fault = input.pick([FaultyBank.Fault.none, .lostBefore, .lostAfter, .twice])
            anna.bank.fault = { _ in fault }
        default: scene.air.run(for: .milliseconds(10 << Int64(input.index(9))))
        }
        check()
    }

    /// Waits for little, so that little time has to pass.
    static func hurry(_ settings: inout MoneyDropSettings) {
        settings.incomingInterval = 2
        settings.firstRetry = 0.25
        settings.lastRetry = 1
        settings.firstSeenCheck = 1
        settings.patience = 2
    }

    /// Pays to Anna, and answers the receipt.
    private mutating func pay(_ minorUnits: Int64) throws -> Data {
        let token = try scene.ask(AskToken(version: 2, photo: nil), as: anna.credentials).token
        let id = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(receipts.count)))
        let order = OrderTransfer(id: id, token: token, amount: Money(minorUnits: minorUnits, .euro))
        guard case .done(let bytes, _) = try scene.ask(order, as: ben.credentials) else { throw CancellationError() }
        receipts.append(try Receipt(bytes, from: ben.bankKey))
        return bytes
    }

    private func request(_ input: inout FuzzInput) -> Data {
        let digest = PhotoFile(picture(700)).description.digest
        let bytes = PhotoFrame.request(digest: digest, offset: input.pick([0, 1, 699, 700, 701, .max])).bytes
        return input.index(3) == 0 ? Data(input.mutate([UInt8](bytes))) : bytes
    }

    /// What is shown as received was paid, and once.
    private func check() {
        var shown: Set<UUID> = []
        for case .received(let transfer, let amount, _) in anna.screen.notices {
            hold(shown.insert(transfer).inserted, "\(transfer) was received twice")
            let receipt = receipts.first { $0.content.transfer == transfer }
            hold(receipt?.content.amount == amount, "\(amount) was received, which nobody has paid")
        }
    }

    /// With the bank back all that was paid is shown, and the money adds up.
    mutating func checkWorks() throws {
        // An app that runs keeps its clock, and the clock its app.
        defer { anna.app.forceQuit() }
        anna.bank.fault = { _ in .none }
        let count = receipts.count
        scene.air.run(for: .seconds(8))
        check()
        let received = anna.screen.notices.count { if case .received = $0 { true } else { false } }
        hold(received == count, "\(received) of \(count) transfers are shown")
        hold(anna.screen.unconfirmedCount == 0, "\(anna.screen.unconfirmedCount) receipts wait for ever")
        let sum = receipts.reduce(0) { $0 + $1.content.amount.minorUnits }
        hold(try scene.balance(anna) == 10_000 + sum, "Anna has another balance")
        hold(try scene.ledger.audit().faults.isEmpty, "the books do not add up")
    }
}
