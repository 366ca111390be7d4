import BluethroatMoneyBank
import BluethroatMoneyTerms
import BluethroatTesting
import CoreBluetooth
import Foundation
import FuzzInputs

@testable import BluethroatMoneyDrop

/// Anna's MoneyDrop, which looks around, finds an impostor that shows details of Ben's or anything else, and pays there.
struct VictimSender {
    private let scene = MoneyScene(logsAir: false)
    private let anna: Owner
    private let impostor: HostileRecipient
    private let ben: BankAccount
    private let photo = PhotoDescription(length: 600, digest: PhotoFile(picture(600)).description.digest)

    init() throws {
        anna = scene.add("Anna") {
            $0.photoLimit = 1 << 16
            VictimRecipient.hurry(&$0)
        }
        impostor = scene.air.addPhone(named: "impostor").addApp().run { HostileRecipient() }
        ben = try scene.ask(OpenAccount(name: "Ben", currency: .euro))
        impostor.details = try token(photo)
        anna.drop.look(true)
        let anna = anna
        try scene.air.run(until: anna.screen.people.first?.isConnected == true, within: .seconds(5))
    }

    private func token(_ photo: PhotoDescription?) throws -> Data {
        try scene.ask(AskToken(version: 2, photo: photo), as: ben.credentials).token
    }

    mutating func step(_ input: inout FuzzInput) throws {
        switch input.index(14) {
        case 0: impostor.details = try token(input.index(2) == 0 ? photo : nil)
        case 1:
            let long = PhotoDescription(length: input.pick([0, 1, 1 << 16, (1 << 16) + 1, .max]), digest: photo.digest)
            // The bank signs no length that it does not take.
            if let details = try? token(long) { impostor.details = details }
        case 2: impostor.details = Data(input.mutate([UInt8](impostor.details)))
        case 3: impostor.details = Data(input.bytes(input.index(120)))
        case 4: impostor.answer = input.pick([.success, nil, CBATTError.Code(rawValue: 0x80 + input.index(5))])
        case 5: impostor.shownPSM = input.index(2) == 0 ? nil : Data(input.bytes(input.index(4)))
        case 6: impostor.tellPSM()
        case 7: impostor.say(frame(&input))
        case 8: impostor.greeting = frame(&input)
        case 9, 10:
            guard let person = anna.screen.people.first else { break }
            _ = try? anna.drop.send(Money(minorUnits: Int64(input.index(3) * 4_000 + 1), .euro), to: person.id)
        case 11:
            let fault = input.pick([FaultyBank.Fault.none, .lostBefore, .lostAfter, .twice])
            anna.bank.fault = { _ in fault }
        default: scene.air.run(for: .milliseconds(10 << Int64(input.index(8))))
        }
        for person in anna.screen.people where person.name != nil {
            hold(person.name == "Ben", "\(person) is nobody whom the bank knows")
        }
    }

    /// What is said on the channel of a photo: right, from another place, another one's, or nothing of the kind.
    private func frame(_ input: inout FuzzInput) -> Data {
        let frames: [PhotoFrame] = [
            .photo(length: photo.length, offset: input.pick([0, 1, photo.length, .max]), digest: photo.digest),
            .refusal(input.pick([.otherPhoto, .beyondEnd, .busy])), .result(isIntact: true),
        ]
        var bytes = [UInt8](input.pick(frames).bytes)
        if input.index(3) == 0 { bytes = input.mutate(bytes) }
        let rest = picture(600).prefix(input.pick([0, 1, 599, 600]))
        return Data(bytes) + (input.index(4) == 0 ? Data(repeating: 1, count: 700) : Data(rest))
    }

    /// With the bank back each transfer was made once or refused, and the money adds up. A photo that is shown as complete is
    /// the one that the bank has signed.
    mutating func checkWorks() throws {
        // An app that runs keeps its clock, and the clock its app.
        defer { anna.app.forceQuit() }
        anna.bank.fault = { _ in .none }
        anna.drop.look(false)
        scene.air.run(for: .seconds(8))
        var paid: Int64 = 0
        for outgoing in anna.screen.outgoing {
            switch outgoing.state {
            case .ordered: hold(false, "\(outgoing) waits for ever")
            case .refused: break
            case .paid, .told, .untold: paid += outgoing.order.amount.minorUnits
            }
        }
        hold(try scene.balance(anna) == 10_000 - paid, "\(paid) was paid, says the phone")
        hold(try scene.ledger.audit().faults.isEmpty, "the books do not add up")
        for person in anna.screen.people {
            guard case .complete = person.photo, let bytes = anna.drop.photo(of: person.id) else { continue }
            hold(bytes == picture(600), "a photo that nobody has signed is shown")
        }
    }
}
