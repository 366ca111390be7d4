import ArgumentParser
import BluethroatEvents
import BluethroatHCITransports
import BluethroatLive
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import Foundation

/// What every command with a MoneyDrop of one person takes.
struct GuestOptions: ParsableArguments {
    @Option(
        file: "Where the account is kept, with what was sent and received (default: a file for this name and bank in "
            + "$XDG_STATE_HOME/bluethroat/moneydrop; none for a bank whose books are in memory here)."
    )
    var wallet: String?

    @Option(help: "What the phone is: phone, connections of 30 ms; iphone, of 15; watch or tv, which can only send.")
    var device = GuestPlan.Device.phone

    @Option(help: "The currency of a new account.")
    var currency = "EUR"

    @Option(
        help: ArgumentHelp("Print a receipt of each payment: FILE.txt or FILE.svg, then FILE-2.", valueName: "file"),
        completion: .file(),
        transform: { try ReceiptFile($0) }
    )
    var receipt: ReceiptFile?

    func validate() throws {
        guard Currency(currency) != nil else {
            throw ValidationError("--currency \(currency) is none; write its three letters, such as EUR")
        }
    }

    /// - Parameter isLasting: whether the bank is there after this command, too.
    func plan(named name: String, photo: Data?, isLasting: Bool) -> GuestPlan {
        GuestPlan(
            name: name,
            photo: photo,
            wallet: wallet.map { .file($0) } ?? (isLasting ? .usual : .forgotten),
            currency: Currency(currency) ?? .euro,
            device: device,
            receipts: receipt
        )
    }

    static func checkName(_ name: String) throws {
        if let fault = OwnerName.fault(inNew: name) { throw ValidationError("--name cannot be that: \(fault)") }
    }
}

/// Runs phones with MoneyDrop until they are done.
enum MoneySession {
    static func run(
        _ options: SessionOptions,
        _ bank: BankOptions,
        plans: [GuestPlan],
        plot: MoneyWorld.Plot,
        heading: (OpenBank) -> String?
    ) async throws {
        if options.fast, bank.bank != nil {
            throw ValidationError("a bank elsewhere has its own time; leave out --fast or --bank")
        }
        let open: OpenBank
        do throws(OperationFailure) {
            open = try await bank.open(for: options)
        } catch {
            throw error.written(json: options.json)
        }
        let writer = LineWriter<MoneyDropEvent>(isJSON: options.json, heading: heading(open), to: .standard)
        let outcome: Result<Void, ExitStatus>
        do throws(ExitStatus) {
            try await options.run(writer, parts: [MoneyWorld.part]) { session, events in
                MoneyWorld(session, events, plans: plans, plot: plot, bank: open)
            } whenLive: { live, _ in
                MoneyWorld.deliverAnswers(to: live)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await open.server?.stop()
        try outcome.get()
    }
}

/// A phone that can be found, and gets money.
struct MoneyReceive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "A phone whose owner can be found and paid; with an air, and a bank unless one is named."
    )

    @Option(help: "What the account's owner is called.")
    var name: String

    @Option(file: "A photo that others see, of any kind, 256 MiB at most.")
    var photo: String?

    @Flag(help: "Be a recipient of the first version: without photo and channel.")
    var older = false

    @Flag(help: "Give the photo without encryption, as the first MoneyDrop did: everybody near can read along.")
    var plain = false

    @OptionGroup var guest: GuestOptions
    @OptionGroup(title: "Bank") var bank: BankOptions
    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        try GuestOptions.checkName(name)
        guard guest.device.canReceive else { throw ValidationError("--device \(guest.device) can only send") }
        if plain, older || photo == nil { throw ValidationError("--plain is for a photo: add --photo, not --older") }
    }

    func run() async throws {
        let picture: Data?
        do throws(OperationFailure) {
            picture = if let photo { try GuestPlan.photo(at: photo) } else { nil }
        } catch {
            throw error.written(json: session.json)
        }
        let isLasting = !session.isVirtual && (bank.bank != nil || bank.own.books != nil)
        var plan = guest.plan(named: name, photo: picture, isLasting: isLasting)
        plan.isOlder = older
        plan.encryptsChannel = !plain
        try await MoneySession.run(session, bank, plans: [plan], plot: .none) { bank in
            "\(name)'s phone, with the bank at \(bank.url)"
        }
    }
}
