import ArgumentParser
import BluethroatMoneyBank
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import Foundation

/// Finds a recipient, and pays.
struct MoneySend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Find somebody around, send money, and tell them.",
        discussion: """
            Without --controller the phone is on the air of `bluethroat moneydrop receive` on this machine \
            (tcp:127.0.0.1:6402), and its bank is that one's (http://127.0.0.1:6404). Exit codes: 0 the recipient \
            knows, 1 no, 2 wrong usage, 3 nobody of that name was found. Whatever ends this command, kill -9 too: \
            the same command, once more, goes on with the transfer that was under way, and sends no second one.
            """
    )

    @Option(help: "Whom to pay: the name, as the bank says it.")
    var to: String

    @Option(help: ArgumentHelp("How much, such as 12.50.", valueName: "amount"))
    var amount: String

    @Option(help: "What the sender's account is called, if it is to be opened.")
    var name = "Sender"

    @Flag(help: "Send, although an earlier run was ended before it could say how the same transfer went.")
    var again = false

    @Flag(help: "Where several people of that name are around, pay the one that is heard best.")
    var nearest = false

    @Option(help: ArgumentHelp("How long to look for the recipient and wait for the bank.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("Where the bank is.", valueName: "url"))
    var bank = "http://127.0.0.1:6404"

    @Flag(help: "Let --bank be on another machine without TLS: everybody on the way can take the account.")
    var insecureBank = false

    @OptionGroup var guest: GuestOptions
    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        try GuestOptions.checkName(name)
        guard !to.isEmpty else { throw ValidationError("--to is empty; name whom to pay, as the bank says it") }
        guard try money.minorUnits > 0 else { throw ValidationError("--amount is to be more than nothing") }
        guard HTTPBank(bank, deliver: { _ in }) != nil else {
            throw ValidationError("--bank \(bank) is no address of a bank; write it like http://127.0.0.1:6404")
        }
        guard timeout.isFinite, (0.1...86_400).contains(timeout) else {
            throw ValidationError("--timeout is from 0.1 to 86400 seconds")
        }
    }

    private var money: Money {
        get throws {
            do throws(Money.Unreadable) {
                return try Money(amount, usual: Currency(guest.currency) ?? .euro)
            } catch {
                throw ValidationError(error.description)
            }
        }
    }

    func run() async throws {
        var options = session.joining("bluethroat moneydrop receive")
        // It is over soon.
        if options.panel.panelListen == nil, !options.isVirtual { options.panel.noPanel = true }
        try await MoneySession.run(
            options,
            try BankOptions.parse(["--bank", bank] + (insecureBank ? ["--insecure-bank"] : [])),
            plans: [guest.plan(named: name, photo: nil, isLasting: !options.isVirtual)],
            plot: .send(
                MoneyWorld.Transfer(to: to, amount: try money, patience: timeout, isAgain: again, isNearest: nearest)
            )
        ) { _ in nil }
    }
}
