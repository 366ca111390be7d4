#if canImport(Phones)
    import BondDatabase
    import Foundation
    import PrivateFiles
    import WorkstationLogin

    /// Where a desk and a phone keep what outlives them.
    enum LoginFiles {
        /// `bluethroat` in $XDG_STATE_HOME or ~/.local/state.
        private static func folder(for option: String) throws(CommandFailure) -> URL {
            guard let bonds = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
                throw CommandFailure("there is no home directory; say where with \(option)", .wrongUsage)
            }
            return URL(fileURLWithPath: bonds).deletingLastPathComponent()
        }

        /// The folder of a vault that can be used, whether or not there is something in it.
        static func vault(_ wish: String?) throws(CommandFailure) -> URL {
            let folder =
                if let wish {
                    URL(fileURLWithPath: wish)
                } else {
                    try folder(for: "--vault DIRECTORY").appendingPathComponent("login")
                }
            do throws(CredentialVault.Failure) { try CredentialVault(FileVaultStorage(folder: folder)).check() } catch {
                throw CommandFailure("\(error)")
            }
            return folder
        }

        /// The key of a desk; a new one is made and kept where there is none.
        static func deskKey(_ identifier: DeskIdentifier, _ wish: String?) throws(CommandFailure) -> DeskKey {
            let file: URL
            if let wish {
                file = URL(fileURLWithPath: wish)
            } else {
                file = try folder(for: "--key FILE").appendingPathComponent("desk-\(identifier).key")
            }
            let kept: Data?
            do { kept = try PrivateFiles.read(file) } catch {
                throw CommandFailure("the desk's key cannot be used: \(error)")
            }
            if let kept {
                let text = String(decoding: kept, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
                guard let bytes = Data(base64Encoded: text), let key = DeskKey(bytes) else {
                    throw CommandFailure(
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
            } catch { throw CommandFailure("the desk's key cannot be kept: \(error)") }
            return key
        }

        static func users(_ path: String) throws(CommandFailure) -> UserList {
            guard let text = try secret(path) else {
                throw CommandFailure(
                    "\(path) cannot be read; make it with bluethroat desk add-user NAME --users \(path)",
                    .wrongUsage
                )
            }
            do throws(UserList.ParseError) {
                return try UserList(parsing: text)
            } catch {
                throw CommandFailure("\(path), \(error)", .wrongUsage)
            }
        }

        /// The text of a file that holds secrets; nil if there is none.
        static func secret(_ path: String) throws(CommandFailure) -> String? {
            do throws(PrivateFiles.Failure) {
                return try PrivateFiles.readText(URL(fileURLWithPath: path))
            } catch {
                throw CommandFailure("\(error)", .wrongUsage)
            }
        }

        static func write(_ users: UserList, _ path: String) throws(CommandFailure) {
            do { try PrivateFiles.replace(URL(fileURLWithPath: path), with: Data(users.text.utf8)) } catch {
                throw CommandFailure("\(error)")
            }
        }
    }

    /// A terminal that shows nothing of what is typed.
    struct HiddenTyping {
        private let before: termios

        /// Nil if standard input is no terminal.
        init?() {
            var settings = termios()
            guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
            before = settings
            settings.c_lflag &= ~tcflag_t(ECHO)
            guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
        }

        func end() {
            var settings = before
            _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }
#endif
