import BluethroatMoneyTerms
import Foundation
import FuzzInputs

@testable import BluethroatMoneyDrop

/// What strangers send to a MoneyDrop: tokens, receipts and photo frames; and the file of a wallet.
enum MoneyFuzzTargets {
    static let all = [tokens, receipts, photoFrames, amounts, wallets, names, recipient, sender]

    private static let key: BankSigningKey = {
        guard let key = try? BankSigningKey(Data(repeating: 5, count: 32)) else {
            preconditionFailure("32 bytes are a key")
        }
        return key
    }()

    // MARK: Decoders

    /// The bank has signed none of these but the one that the first byte chooses, whose bytes are taken as they are.
    static let tokens = FuzzTarget(decoder: "money-tokens", upTo: 250) { bytes in
        guard let token = try? PayeeToken(Data(bytes), from: key.publicKey) else { return }
        hold(token.bytes == Data(bytes), "a token is kept as another")
        hold(PayeeToken(signing: token.content, with: key).content == token.content, "a token says something else")
    }

    static let receipts = FuzzTarget(decoder: "money-receipts", upTo: 250) { bytes in
        guard let content = try? Receipt.claim(in: Data(bytes)) else { return }
        let signed = Receipt(signing: content, with: key)
        hold((try? Receipt(signed.bytes, from: key.publicKey))?.content == content, "\(content) is written as another")
        hold(content.amount.minorUnits > 0, "a receipt of nothing")
        hold(
            (try? Receipt(Data(bytes), from: key.publicKey)) == nil || bytes.count == signed.bytes.count,
            "a forged receipt"
        )
    }

    static let photoFrames = FuzzTarget(decoder: "money-photo-frames", upTo: 60) { bytes in
        guard let frame = try? PhotoFrame(Data(bytes)) else { return }
        hold(frame.bytes == Data(bytes), "\(frame) has more than one form")
    }

    static let amounts = FuzzTarget(decoder: "money-amounts", upTo: 40) { bytes in
        guard let usual = Currency("EUR"), let money = try? Money(String(decoding: bytes, as: UTF8.self), usual: usual)
        else { return }
        hold((try? Money(money.description, usual: usual)) == money, "\(money) is read as another amount")
        hold(money.minorUnits >= 0, "\(money) is less than nothing")
    }

    static let names = FuzzTarget(decoder: "money-names", upTo: 80) { bytes in
        let name = String(decoding: bytes, as: UTF8.self)
        guard OwnerName.fault(in: name) == nil else { return }
        hold((1...OwnerName.limit).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
    }

    /// A wallet of this version, or none.
    static let wallets = FuzzTarget(decoder: "money-wallet-file", upTo: 1_500) { bytes in
        guard let wallet = try? BankJSON.decode(Wallet.self, from: Data(bytes)) else { return }
        hold(
            (try? BankJSON.decode(Wallet.self, from: BankJSON.encode(wallet))) == wallet,
            "a wallet is kept as another"
        )
    }

    // MARK: Machines

    /// An app that is found by a stranger: what it shows as received was paid, and once.
    static let recipient = FuzzTarget(machine: "money-recipient", upTo: 60) { input in
        var world = try VictimRecipient()
        while !input.isEmpty { try world.step(&input) }
        try world.checkWorks()
    }

    /// An app that finds an impostor, and pays where it may: each transfer is made once or not at all.
    static let sender = FuzzTarget(machine: "money-sender", upTo: 60) { input in
        var world = try VictimSender()
        while !input.isEmpty { try world.step(&input) }
        try world.checkWorks()
    }
}
