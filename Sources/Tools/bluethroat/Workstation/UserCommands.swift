import ArgumentParser
import BluethroatEvents
import BluethroatTerminal
import BluethroatWorkstationLogin
import BluethroatWorkstationWorld
import Foundation

/// The list of users that a desk asks.
struct AddUser: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-user",
        abstract: "Add a user to a desk's list, or give one another password.",
        discussion: """
            The password is asked for at a terminal, else it is the first line of standard input. The file has a line \
            for each user, with a salt and a scrypt hash, and mode 0600.
            """
    )

    @Argument(help: "The user's name, at most 64 bytes, without a colon.")
    var name: String

    @OptionGroup var list: UserListOption

    @Option(help: ArgumentHelp("The logarithm of scrypt's rounds, 10 to 20.", valueName: "n"))
    var cost = 15

    func validate() throws {
        if let fault = UserList.fault(inNewName: name) { throw ValidationError(fault) }
        guard (10...20).contains(cost) else { throw ValidationError("--cost is from 10 to 20") }
    }

    func run() throws {
        SecretMemory.shield()
        do throws(OperationFailure) {
            try LoginFiles.addUser(to: list.users, cost: cost) { () throws(OperationFailure) in
                Credentials(user: name, password: try Self.password())
            }
        } catch { throw error.written(json: false) }
    }

    private static func password() throws(OperationFailure) -> String {
        guard StandardInput.isTerminal else {
            guard let line = readLine() else {
                throw OperationFailure("there is no password on standard input", .wrongUsage)
            }
            return line
        }
        let (first, second) = HiddenTyping.askTwice("Password: ", "Once more: ")
        guard first == second else { throw OperationFailure("the two passwords differ; try again", .wrongUsage) }
        return first
    }
}

struct RemoveUser: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-user",
        abstract: "Take a user off a desk's list."
    )

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var list: UserListOption

    func run() throws {
        do throws(OperationFailure) { try LoginFiles.removeUser(name, from: list.users) } catch {
            throw error.written(json: false)
        }
    }
}

struct ListUsers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list-users",
        abstract: "Show who is on a desk's list."
    )

    @OptionGroup var list: UserListOption

    func run() throws {
        do throws(OperationFailure) {
            for user in try LoginFiles.users(list.users).users { StandardOutput.write(user.name) }
        } catch { throw error.written(json: false) }
    }
}

struct UserListOption: ParsableArguments {
    @Option(file: "The list of users.")
    var users: String
}
