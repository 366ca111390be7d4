import ArgumentParser

/// Sends money to people nearby.
struct MoneyDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moneydrop",
        abstract: "Send money to whoever is near: phones that find each other, photos, and a bank.",
        discussion: """
            In one terminal `bluethroat moneydrop receive --name Anna --photo anna.jpg` puts a phone on a virtual air, \
            with a bank of play money; in another `bluethroat moneydrop send --to Anna --amount 12.50` is a second \
            phone on the same air, which finds Anna and pays. `demo` is a café full of such phones.
            """,
        subcommands: [MoneyReceive.self, MoneySend.self, MoneyBankCommand.self, MoneyDemo.self]
    )
}
