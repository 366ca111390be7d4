import BluethroatPrivateFiles
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Who says whether a password is right")
struct VerifierTests {
    private let cheap = ScryptCost(logarithm: 1)!
    private let alice = Credentials(user: "alice", password: "correct horse")

    private func list() -> UserList {
        var users = UserList()
        for credentials in [alice, Credentials(user: "bob", password: "")] {
            let isSet = users.set(credentials, cost: cheap)
            #expect(isSet)
        }
        return users
    }

    @Test("A list knows its users by name and password, and everybody else not")
    func verify() {
        let users = list()
        #expect(users.verify(alice) == .accepted)
        #expect(users.verify(Credentials(user: "alice", password: "correct horse ")) == .rejected)
        #expect(users.verify(Credentials(user: "Alice", password: "correct horse")) == .rejected)
        #expect(users.verify(Credentials(user: "carol", password: "correct horse")) == .rejected)
        #expect(UserList().verify(Credentials(user: "", password: "")) == .rejected)
    }

    @Test("Every name is the same work, known or not, whatever costs are in the list; measured, too")
    func sameWork() {
        var users = UserList()
        let (low, high) = (ScryptCost(logarithm: 4)!, ScryptCost(logarithm: 12)!)
        let areSet = users.set(alice, cost: low) && users.set(Credentials(user: "bob", password: "x"), cost: high)
        #expect(areSet)
        let names = ["alice", "bob", "nobody", ""]
        for name in names { #expect(users.work(for: name).map(\.cost) == [low, high], "\(name)") }
        #expect(UserList().work(for: "alice").map(\.cost) == [.usual])
        let times = names.map { name in
            // The processor time of this thread, which others do not lengthen.
            (0..<5).map { _ in
                let began = clock_gettime_nsec()
                _ = users.verify(Credentials(user: name, password: "wrong"))
                return clock_gettime_nsec() - began
            }.min()!
        }
        // The costs of the two are 256 times apart.
        #expect(times.max()! < 8 * times.min()!, "\(zip(names, times).map { $0 })")
    }

    private func clock_gettime_nsec() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test("As text it has salts and hashes and no passwords, and can be read back")
    func text() throws {
        let users = list()
        #expect(!users.text.contains("horse"))
        #expect(try UserList(parsing: "# who sits here\r\n\n" + users.text) == users)
        var others = users
        _ = others.set(alice, cost: cheap)
        #expect(others.users.count == 2 && others.text != users.text, "the same password has another salt")
        let (isRemoved, isRemovedAgain) = (others.remove("bob"), others.remove("bob"))
        #expect(isRemoved && !isRemovedAgain)
    }

    @Test("A list whose lines end with CR and LF is the same list")
    func carriageReturns() throws {
        var users = list()
        _ = users.set(alice, cost: cheap)
        let text = "# who sits here\n\n" + users.text
        #expect(try UserList(parsing: text.replacingOccurrences(of: "\n", with: "\r\n")) == users)
        let error = #expect(throws: UserList.ParseError.self) { try UserList(parsing: "# x\r\n\r\nnonsense\r\n") }
        #expect(error?.line == 3)
    }

    @Test("A name that makes one character with the colon behind it does not spoil the list")
    func joinedNames() throws {
        var users = list()
        // A letter of Malayalam that stands before what it belongs to.
        let name = "alice\u{0D4E}"
        #expect("\(name):".count == "alice:".count && UserList.fault(inName: name) == nil)
        _ = users.set(Credentials(user: name, password: "horse"), cost: cheap)
        #expect(try UserList(parsing: users.text) == users)
        for name in ["ali:\u{301}ce", "#\u{301}alice", "alice\u{301}:"] { #expect(UserList.fault(inName: name) != nil) }
    }

    @Test(
        "A line that says nothing is told of by its number",
        arguments: [
            ("alice:secret", "line 1: not of the form"), ("# x\nalice:scrypt:99:8:1:AA==:AA==", "line 2: no cost"),
            ("alice:scrypt:1:8:1:AA==:AA==", "line 1: salt and hash"),
            (":scrypt:1:8:1::", "line 1: the user name is empty"),
            ("alice:scrypt:1:99999999:1:AA==:AA==", "line 1: no cost"),
        ]
    )
    func bad(text: String, beginning: String) {
        let error = #expect(throws: UserList.ParseError.self) { try UserList(parsing: text) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error as Any)")
    }

    @Test("A file is read anew each time, and one that cannot be read lets nobody in")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("users-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let verifier = UserFileVerifier(file: file)
        #expect(verifier.verify(alice) == .unavailable("\(file.path) cannot be read"))
        try PrivateFiles.replace(file, with: Data(list().text.utf8))
        #expect(verifier.verify(alice) == .accepted)
        try PrivateFiles.replace(file, with: Data("nonsense\n".utf8))
        guard case .unavailable = verifier.verify(alice) else { return _ = Issue.record("let in") }
    }

    @Test("A list that others may read or change, or behind a link, lets no user in and says what to do")
    func openFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("users-\(UUID().uuidString)")
        let link = file.appendingPathExtension("link")
        defer { for one in [file, link] { try? FileManager.default.removeItem(at: one) } }
        try PrivateFiles.replace(file, with: Data(list().text.utf8))
        let verifier = UserFileVerifier(file: file)
        #expect(verifier.verify(alice) == .accepted)
        for mode in [0o666, 0o644, 0o620, 0o602] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let line = "\(file.path) is open to others (mode \(String(mode, radix: 8))): chmod 600 \(file.path)"
            #expect(verifier.verify(alice) == .unavailable(line))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(verifier.verify(alice) == .accepted)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let behind = UserFileVerifier(file: link).verify(alice)
        #expect(behind == .unavailable("\(link.path) is a symbolic link; name the file itself"))
        try Data(count: 2 << 20).write(to: file)
        guard case .unavailable = verifier.verify(alice) else { return _ = Issue.record("let in") }
        try Data([0xFF, 0xFE, 0x0A]).write(to: file)
        #expect(verifier.verify(alice) == .unavailable("\(file.path) is no text in UTF-8"))
    }

    #if os(Linux)
        /// A folder with PAM stacks of the test's own.
        private func withStack<Result>(_ lines: String, _ body: (String) throws -> Result) throws -> Result {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pam-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let script = folder.appendingPathComponent("check")
            // What pam_exec hands over ends with a zero byte.
            let text = """
                #!/bin/sh
                password=$(tr -d '\\000')
                [ "$PAM_USER" = alice ] && [ "$password" = 'correct horse' ]
                """
            try Data(text.utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
            let stack = lines.replacingOccurrences(of: "SCRIPT", with: script.path)
            try Data(stack.utf8).write(to: folder.appendingPathComponent("desk"))
            return try body(folder.path)
        }

        private static let hasPAM = PAMVerifier.isThere

        @Test("PAM is asked with name and password, by a stack of its own", .enabled(if: hasPAM))
        func pam() throws {
            let stack = """
                auth     [success=1 default=ignore] pam_exec.so quiet expose_authtok SCRIPT
                auth     requisite pam_deny.so
                auth     required pam_permit.so
                account  required pam_permit.so

                """
            try withStack(stack) { folder in
                let verifier = try PAMVerifier(service: "desk", folder: folder)
                #expect(verifier.verify(alice) == .accepted)
                #expect(verifier.verify(Credentials(user: "alice", password: "wrong")) == .rejected)
                #expect(verifier.verify(Credentials(user: "bob", password: "correct horse")) == .rejected)
                #expect(verifier.verify(Credentials(user: "alice\0bob", password: "correct horse")) == .rejected)
            }
        }

        @Test("Stacks that let everybody in, nobody, or only those whose account is good", .enabled(if: hasPAM))
        func stacks() throws {
            let permit = "auth required pam_permit.so\naccount required pam_permit.so\n"
            let deny = "auth required pam_deny.so\naccount required pam_permit.so\n"
            let account = "auth required pam_permit.so\naccount required pam_deny.so\n"
            for (stack, verdict) in [(permit, CredentialVerdict.accepted), (deny, .rejected), (account, .rejected)] {
                try withStack(stack) { folder in
                    let verifier = try PAMVerifier(service: "desk", folder: folder)
                    #expect(verifier.verify(alice) == verdict, "\(stack)")
                }
            }
            try withStack("auth required pam_no_such_module.so\n") { folder in
                let verdict = try PAMVerifier(service: "desk", folder: folder).verify(alice)
                #expect(verdict != .accepted)
            }
        }

        @Test("A service that is not there is told of at once, and not by turning everybody away", .enabled(if: hasPAM))
        func noService() throws {
            try withStack("auth required pam_permit.so\n") { folder in
                _ = try PAMVerifier(service: "Desk", folder: folder)
                let error = #expect(throws: PAMVerifier.Unavailable.self) {
                    try PAMVerifier(service: "dekc", folder: folder)
                }
                #expect(error?.description == "there is no PAM service dekc in \(folder)")
                for name in [".", "..", ""] {
                    #expect(throws: PAMVerifier.Unavailable.self) { try PAMVerifier(service: name, folder: folder) }
                }
                try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
                #expect(throws: PAMVerifier.Unavailable.self) { try PAMVerifier(service: "sub", folder: folder) }
            }
            // Debian has a file for all services, with nothing in it.
            #expect(throws: PAMVerifier.Unavailable.self) { try PAMVerifier(service: "no-such-service") }
        }

        @Test("A file of all services has those that its lines begin with")
        func oneFile() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("pam-\(UUID().uuidString).conf")
            try Data("# desk\n\nDesk auth required pam_deny.so\nother\tauth required pam_deny.so\n".utf8).write(
                to: file
            )
            defer { try? FileManager.default.removeItem(at: file) }
            for name in ["desk", "DESK", "other"] { #expect(PAMVerifier.isService(name, in: file.path), "\(name)") }
            for name in ["#", "auth", "des", ""] { #expect(!PAMVerifier.isService(name, in: file.path), "\(name)") }
            #expect(!PAMVerifier.isService("desk", in: "/nowhere"))
        }

        @Test("Whatever stands against an account sounds like a wrong password", .enabled(if: hasPAM))
        func accounts() throws {
            let stack = "auth required pam_permit.so\naccount required pam_no_such_module.so\n"
            try withStack(stack) { folder in
                let verifier = try PAMVerifier(service: "desk", folder: folder)
                #expect(verifier.verify(alice) == .rejected)
            }
        }

        @Test("Without PAM one line says what is missing and what to do")
        func withoutPAM() {
            let error = #expect(throws: PAMVerifier.Unavailable.self) {
                try PAMVerifier(service: "desk", folder: nil, libraryName: "libpam-nowhere.so.0")
            }
            #expect(error?.description.hasPrefix("libpam-nowhere.so.0 is not there; install PAM") == true)
            #expect(throws: PAMVerifier.Unavailable.self) { try PAMVerifier(service: "../login") }
        }
    #endif
}
