public import ArgumentParser
import BluethroatEvents
import BluethroatLiveWorld
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatTerminal
import BluethroatVirtualTime
import Foundation

/// A café.
struct MoneyDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "A café full of phones, whose owners look around and pay each other; or a pitfall, as it was."
    )

    @Option(help: "How many phones, 2 to 20.")
    var people = 6

    @Option(help: ArgumentHelp("The size of each photo in bytes.", valueName: "n"))
    var photoSize = 20_000

    @Option(
        help: ArgumentHelp(
            "Show a pitfall of the first MoneyDrop as it was, in virtual time, and end: write-type, photo, "
                + "background or sniffing. With --capture it is in a file for Wireshark.",
            valueName: "pitfall"
        )
    )
    var reenact: Pitfall?

    @Option(
        help: ArgumentHelp("The first guest pays each of the others so much, then all is over.", valueName: "amount"),
        transform: { try Money($0, usual: .euro) }
    )
    var evening: Money?

    @Option(
        help: ArgumentHelp("Print a receipt of each payment: FILE.txt or FILE.svg, then FILE-2.", valueName: "file"),
        completion: .file(),
        transform: { try ReceiptFile($0) }
    )
    var receipt: ReceiptFile?

    @OptionGroup(title: "Bank") var bank: BankOptions
    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        guard (2...20).contains(people) else { throw ValidationError("--people is from 2 to 20") }
        guard (1...10_000_000).contains(photoSize) else {
            throw ValidationError("--photo-size is from 1 to 10000000 bytes")
        }
        if session.controller != nil {
            throw ValidationError("the guests need each other's air; leave out --controller")
        }
    }

    func run() async throws {
        if let reenact {
            do throws(OperationFailure) {
                let captures = CaptureFiles(pcapng: session.capture, btsnoop: session.btsnoop)
                try reenact.reenact(seed: session.seed ?? 1, captures: captures) { event in
                    if let text = session.json ? event.json?.text : event.line { StandardOutput.write(text) }
                }
            } catch {
                throw error.written(json: session.json)
            }
            return
        }
        let seed = session.someSeed
        try await MoneySession.run(
            session,
            bank,
            plans: GuestPlan.cafe(people: people, photoSize: photoSize, seed: seed, receipts: receipt),
            plot: evening.map { .evening($0) } ?? .cafe(seed: seed, seconds: nil)
        ) { bank in "A café with \(people) phones, and the bank at \(bank.url)" }
    }
}

extension Pitfall: ExpressibleByArgument {}
extension GuestPlan.Device: ExpressibleByArgument {}
