import BluethroatBondDatabase
package import BluethroatEvents
import BluethroatPrivateFiles
package import BluethroatWorkstationLogin
package import Foundation

/// Where a desk and a phone keep what outlives them.
package enum LoginFiles {
    /// `bluethroat` in $XDG_STATE_HOME or ~/.local/state.
    private static func folder(for option: String) throws(OperationFailure) -> URL {
        guard let bonds = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw OperationFailure("there is no home directory; say where with \(option)", .wrongUsage)
        }
        return URL(fileURLWithPath: bonds).deletingLastPathComponent()
    }

    /// The folder of a vault that can be used, whether or not there is something in it.
    package static func vault(_ wish: String?) throws(OperationFailure) -> URL {
        let folder =
            if let wish {
                URL(fileURLWithPath: wish)
            } else {
                try folder(for: "--vault DIRECTORY").appendingPathComponent("login")
            }
        do throws(CredentialVault.Failure) { try CredentialVault(FileVaultStorage(folder: folder)).check() } catch {
            throw OperationFailure("\(error)")
        }
        return folder
    }

    /// The key of a desk; a new one is made and kept where there is none.
    package static func deskKey(_ identifier: DeskIdentifier, _ wish: String?) throws(OperationFailure) -> DeskKey {
        let file: URL
        if let wish {
            file = URL(fileURLWithPath: wish)
        } else {
            file = try folder(for: "--key FILE").appendingPathComponent("desk-\(identifier).key")
        }
        let kept: Data?
        do { kept = try PrivateFiles.read(file) } catch {
            throw OperationFailure("the desk's key cannot be used: \(error)")
        }
        if let kept {
            let text = String(decoding: kept, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let bytes = Data(base64Encoded: text), let key = DeskKey(bytes) else {
                throw OperationFailure(
                    "\(file.path) is no key of a desk; name another file with --key, or remove it to have a new key "
                        + "(phones then ask for the code again)"
                )
            }
            return key
        }
        let key = DeskKey()
        do {
            try PrivateFiles.makeFolder(file.deletingLastPathComponent())
            try PrivateFiles.replace(file, with: Data((key.bytes.base64EncodedString() + "\n").utf8))
        } catch { throw OperationFailure("the desk's key cannot be kept: \(error)") }
        return key
    }

    /// Lets in who is in a list of users.
    package static func verifier(_ file: String) throws(OperationFailure) -> any CredentialVerifier {
        guard try !users(file).users.isEmpty else {
            throw OperationFailure(
                "there is nobody in \(file); add somebody with bluethroat desk add-user NAME --users \(file)",
                .wrongUsage
            )
        }
        return UserFileVerifier(file: URL(fileURLWithPath: file))
    }

    /// Asks PAM.
    package static func verifier(pam: String, _ folder: String?) throws(OperationFailure) -> any CredentialVerifier {
        do throws(PAMVerifier.Unavailable) { return try PAMVerifier(service: pam, folder: folder) } catch {
            throw OperationFailure("\(error)")
        }
    }

    package static func users(_ path: String) throws(OperationFailure) -> UserList {
        guard let text = try secret(path) else {
            throw OperationFailure(
                "\(path) cannot be read; make it with bluethroat desk add-user NAME --users \(path)",
                .wrongUsage
            )
        }
        do throws(UserList.ParseError) {
            return try UserList(parsing: text)
        } catch {
            throw OperationFailure("\(path), \(error)", .wrongUsage)
        }
    }

    /// The text of a file that holds secrets; nil if there is none.
    package static func secret(_ path: String) throws(OperationFailure) -> String? {
        do throws(PrivateFiles.Failure) {
            return try PrivateFiles.readText(URL(fileURLWithPath: path))
        } catch {
            throw OperationFailure("\(error)", .wrongUsage)
        }
    }

    /// The first line of a file that holds a password.
    package static func password(_ path: String) throws(OperationFailure) -> String {
        guard let text = try secret(path) else { throw OperationFailure("\(path) cannot be read", .wrongUsage) }
        // CR and LF are one character of a `String`.
        return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
    }

    /// Adds a user to a list, which is made where there is none, or gives one another password.
    ///
    /// - Parameters:
    ///   - cost: the logarithm of scrypt's rounds, 10 to 20.
    ///   - ask: asks for name and password, once the list was read.
    package static func addUser(
        to path: String,
        cost: Int,
        ask: () throws(OperationFailure) -> Credentials
    ) throws(OperationFailure) {
        var users = UserList()
        if FileManager.default.fileExists(atPath: path) { users = try Self.users(path) }
        let credentials = try ask()
        if let fault = credentials.fault { throw OperationFailure(fault, .wrongUsage) }
        // A user who presses return twice does not want an account without a password.
        if credentials.password.count == 0 { throw OperationFailure("the password is empty", .wrongUsage) }
        guard let cost = ScryptCost(logarithm: cost), users.set(credentials, cost: cost) else {
            throw OperationFailure("there is too little memory for scrypt; give a lower --cost")
        }
        try write(users, path)
    }

    package static func write(_ users: UserList, _ path: String) throws(OperationFailure) {
        do { try PrivateFiles.replace(URL(fileURLWithPath: path), with: Data(users.text.utf8)) } catch {
            throw OperationFailure("\(error)")
        }
    }
}
