import BluethroatBondDatabase
package import BluethroatEvents
import BluethroatPrivateFiles
package import BluethroatWorkstationLogin
import Foundation

/// Where a desk and a phone keep what outlives them.
package enum LoginFiles {
    /// `bluethroat` in $XDG_STATE_HOME or ~/.local/state.
    private static func folder(for option: String) throws(OperationFailure) -> URL {
        guard let bonds = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw OperationFailure("there is no home directory; say where with \(option)", .wrongUsage)
        }
        return URL(fileURLWithPath: bonds).deletingLastPathComponent()
    }

    /// Where a phone keeps things: in a folder of a vault that can be used, whether or not there is something in it, or
    /// nowhere, if it is `-`.
    package static func vault(_ path: String?) throws(OperationFailure) -> LoginWorld.PhoneSetup.Storage {
        if path == "-" { return .memory }
        if path == "" { throw OperationFailure("--vault wants the name of a folder, or -", .wrongUsage) }
        let folder =
            if let path {
                URL(fileURLWithPath: path)
            } else {
                try folder(for: "--vault DIRECTORY").appendingPathComponent("login")
            }
        do throws(CredentialVault.Failure) { try CredentialVault(FileVaultStorage(folder: folder)).check() } catch {
            throw OperationFailure("\(error)")
        }
        return .files(folder)
    }

    private static func keyFile(_ identifier: DeskIdentifier, _ path: String?) throws(OperationFailure) -> URL {
        if let path { return URL(fileURLWithPath: path) }
        return try folder(for: "--key FILE").appendingPathComponent("desk-\(identifier).key")
    }

    /// The key of a desk, and what it has counted; a new one is made and kept where there is none.
    private static func deskKey(_ identifier: DeskIdentifier, _ path: String?) throws(OperationFailure) -> DeskKeyFile {
        let file = try keyFile(identifier, path)
        do throws(DeskKeyFile.Failure) { return try DeskKeyFile(file) } catch {
            throw OperationFailure(refusal(of: error))
        }
    }

    private static func refusal(of failure: DeskKeyFile.Failure) -> String {
        if case .file(let what) = failure { "the desk's key cannot be used: \(what)" } else { "\(failure)" }
    }

    /// What outlives a desk.
    package struct DeskPaths {
        let key: String?
        let log: String?
        let head: String?

        /// - Parameters:
        ///   - key: the file of its key; nil for the usual one.
        ///   - log: the file of its log; nil for none.
        ///   - head: the file of that log's head; nil for the log's name with `.head`.
        package init(key: String?, log: String?, head: String?) { (self.key, self.log, self.head) = (key, log, head) }
    }

    /// A desk with what outlives it.
    package static func desk(
        _ identifier: DeskIdentifier,
        verifier: any CredentialVerifier,
        settings: Desk.Settings,
        files: DeskPaths
    ) throws(OperationFailure) -> LoginWorld.DeskSetup {
        let file = try deskKey(identifier, files.key)
        var desk = LoginWorld.DeskSetup(identifier: identifier, key: file.key, verifier: verifier, settings: settings)
        desk.tries = file
        guard let log = files.log else { return desk }
        do throws(AuditLog.Failure) {
            let (path, head) = logFiles(log, files.head)
            let known = file.entries(ofLog: path)
            let log = try AuditLog(AuditFiles(log: path, head: head), key: file.key, atLeast: known)
            try log.begin(date: Date())
            desk.log = log
        } catch { throw OperationFailure("\(error)") }
        do throws(DeskKeyFile.Failure) {
            try file.keep(entries: desk.log?.entries ?? 0, ofLog: logFiles(log, files.head).log)
        } catch { throw OperationFailure(refusal(of: error)) }
        return desk
    }

    private static func logFiles(_ log: String, _ head: String?) -> (log: URL, head: URL) {
        (URL(fileURLWithPath: log), URL(fileURLWithPath: head ?? log + ".head"))
    }

    /// What has become of a desk's log, in a sentence; what somebody has done to it is an error.
    package static func verifyLog(of identifier: DeskIdentifier, _ files: DeskPaths) throws(OperationFailure) -> String
    {
        guard let path = files.log else { throw OperationFailure("say which log: --log FILE", .wrongUsage) }
        let file = try keyFile(identifier, files.key)
        let key: DeskKey?
        let known: Int
        do throws(DeskKeyFile.Failure) {
            key = try DeskKeyFile.key(in: file)
            known = try DeskKeyFile.entries(ofLog: logFiles(path, files.head).log, accordingTo: file)
        } catch { throw OperationFailure(refusal(of: error)) }
        guard let key else {
            throw OperationFailure("there is no \(file.path); name the desk's key with --key", .nothingFound)
        }
        let report: AuditReport?
        do throws(AuditLog.Failure) {
            let (log, head) = logFiles(path, files.head)
            report = try AuditFiles.report(log: log, head: head, key: key)
        } catch { throw OperationFailure("\(error)") }
        guard let report else {
            guard known > 0 else { throw OperationFailure("there is no \(path), and no head of it", .nothingFound) }
            throw OperationFailure("\(path): \(AuditFault.cutAtEnd(entries: 1...known))")
        }
        if let fault = report.fault(atLeast: known) { throw OperationFailure("\(path): \(fault)") }
        return "\(path): \(report.sentence)"
    }

    /// Takes a user off a list.
    package static func removeUser(_ name: String, from path: String) throws(OperationFailure) {
        _ = try users(path)
        try change(path) { (users: inout UserList) throws(OperationFailure) in
            guard users.remove(name) else {
                throw OperationFailure("there is no user \(name) in \(path)", .nothingFound)
            }
        }
    }

    /// Reads a list, changes it and writes it again, while nobody else does: what another command has changed meanwhile stays.
    private static func change(
        _ path: String,
        _ change: (inout UserList) throws(OperationFailure) -> Void
    ) throws(OperationFailure) {
        let lock: FileLock
        // Another command has it for a moment only: none asks its user anything while it has it.
        do { lock = try FileLock(waitingBeside: URL(fileURLWithPath: path)) } catch {
            throw OperationFailure("\(error)")
        }
        try withExtendedLifetime(lock) { () throws(OperationFailure) in
            var users = UserList()
            if FileManager.default.fileExists(atPath: path) { users = try Self.users(path) }
            try change(&users)
            try write(users, path)
        }
    }

    /// Lets in who is in a list of users, or who PAM lets in, of which one is given.
    package static func verifier(
        users: String?,
        pam: String?,
        _ folder: String?
    ) throws(OperationFailure) -> any CredentialVerifier {
        if let users { try verifier(users) } else { try verifier(pam: pam!, folder) }
    }

    /// Lets in who is in a list of users.
    private static func verifier(_ file: String) throws(OperationFailure) -> any CredentialVerifier {
        guard try !users(file).users.isEmpty else {
            throw OperationFailure(
                "there is nobody in \(file); add somebody with bluethroat desk add-user NAME --users \(file)",
                .wrongUsage
            )
        }
        return UserFileVerifier(file: URL(fileURLWithPath: file))
    }

    /// Asks PAM.
    private static func verifier(pam: String, _ folder: String?) throws(OperationFailure) -> any CredentialVerifier {
        // Who may put a service there lets in whom he likes.
        if let folder {
            do throws(PrivateFiles.Failure) { try PrivateFiles.checkTrusted(folder, and: pam.lowercased()) } catch {
                throw OperationFailure("\(error)")
            }
        }
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
        // What is wrong with it is told before anybody types a password.
        if FileManager.default.fileExists(atPath: path) { _ = try Self.users(path) }
        let credentials = try ask()
        if let fault = credentials.fault { throw OperationFailure(fault, .wrongUsage) }
        // A user who presses return twice does not want an account without a password.
        if credentials.password.count == 0 { throw OperationFailure("the password is empty", .wrongUsage) }
        let noMemory = OperationFailure("there is too little memory for scrypt; give a lower --cost")
        guard let cost = ScryptCost(logarithm: cost) else { throw noMemory }
        try change(path) { (users: inout UserList) throws(OperationFailure) in
            guard users.set(credentials, cost: cost) else { throw noMemory }
        }
    }

    private static func write(_ users: UserList, _ path: String) throws(OperationFailure) {
        do { try PrivateFiles.replace(URL(fileURLWithPath: path), with: Data(users.text.utf8)) } catch {
            throw OperationFailure("\(error)")
        }
    }
}
