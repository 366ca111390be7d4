#if os(Linux)
    import Foundation

    /// Asks the machine's own users, by way of PAM: its library is looked for when it is needed, so that nothing has to be
    /// there to build this.
    public struct PAMVerifier: CredentialVerifier {
        /// Why it cannot be asked at all.
        public struct Unavailable: Error, CustomStringConvertible {
            public let description: String
        }

        private let service: String
        private let folder: String?
        private let library: PAMLibrary

        /// Whether the machine has PAM.
        static var isThere: Bool { PAMLibrary(named: "libpam.so.0") != nil }

        /// - Parameters:
        ///   - service: the name of the stack: a file in /etc/pam.d, or in `folder`.
        ///   - folder: where stacks are looked for instead; wants Linux-PAM 1.4 or later.
        public init(service: String, folder: String? = nil) throws(Unavailable) {
            try self.init(service: service, folder: folder, libraryName: "libpam.so.0")
        }

        init(service: String, folder: String?, libraryName: String) throws(Unavailable) {
            guard !["", ".", ".."].contains(service), !service.contains("/") else {
                throw Unavailable(description: "a PAM service is the name of a file in /etc/pam.d, not \"\(service)\"")
            }
            guard let library = PAMLibrary(named: libraryName) else {
                throw Unavailable(
                    description:
                        "\(libraryName) is not there; install PAM (Debian: apt install libpam0g), or use a file "
                        + "of users"
                )
            }
            if folder != nil, library.startIn == nil {
                throw Unavailable(description: "this PAM cannot be given a folder; that wants Linux-PAM 1.4 or later")
            }
            // Where there is none, PAM asks the service "other", which may be another policy. It looks into the one file for all
            // only where there is no folder.
            let folders = folder.map { [$0] } ?? ["/etc/pam.d", "/usr/lib/pam.d"]
            guard
                folders.contains(where: { Self.isFile("\($0)/\(service.lowercased())") })
                    || folder == nil && !folders.contains(where: Self.isFolder)
                        && Self.isService(service, in: "/etc/pam.conf")
            else { throw Unavailable(description: "there is no PAM service \(service) in \(folders[0])") }
            self.service = service
            self.folder = folder
            self.library = library
        }

        private static func isFile(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: path) && !isFolder(path)
        }

        private static func isFolder(_ path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }

        /// Whether one of the lines of a file that has all services is about this one: its first word is.
        static func isService(_ service: String, in path: String) -> Bool {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
            return text.split(whereSeparator: \.isNewline).contains { line in
                let word = line.split(whereSeparator: \.isWhitespace).first?.lowercased() ?? "#"
                return word == service.lowercased() && !word.hasPrefix("#")
            }
        }

        public func verify(_ credentials: Credentials) -> CredentialVerdict {
            // A zero in it would end the text early, and with it the check.
            let hasZero = credentials.password.withUnsafeBytes { $0.contains(0) }
            guard !credentials.user.utf8.contains(0), !hasZero else { return .rejected }
            let text = SecretBytes(joining: [credentials.password, SecretBytes([0])])
            return text.withUnsafeBytes { password in
                var conversation = PAMLibrary.Conversation(
                    answer: answerPAM,
                    data: UnsafeMutableRawPointer(mutating: password.baseAddress)
                )
                return withUnsafePointer(to: &conversation) { conversation in
                    run(credentials.user, conversation)
                }
            }
        }

        private func run(
            _ user: String,
            _ conversation: UnsafePointer<PAMLibrary.Conversation>
        ) -> CredentialVerdict {
            var handle: OpaquePointer?
            let began =
                if let folder, let startIn = library.startIn {
                    startIn(service, user, conversation, folder, &handle)
                } else {
                    library.start(service, user, conversation, &handle)
                }
            guard began == PAMLibrary.success, let handle else {
                return .unavailable("PAM cannot begin with the service \(service)")
            }
            var status = library.authenticate(handle, PAMLibrary.silent)
            let isAuthentic = status == PAMLibrary.success
            if isAuthentic { status = library.accountCheck(handle, PAMLibrary.silent) }
            let words = library.words(handle, status).map { String(cString: $0) } ?? "error \(status)"
            _ = library.end(handle, status)
            switch status {
            case PAMLibrary.success: return .accepted
            // Whatever stands against the account: another answer than for a wrong password would say that this one is right.
            case _ where isAuthentic: return .rejected
            // auth_err, cred_insufficient, user_unknown, maxtries, new_authtok_reqd, acct_expired, perm_denied.
            case 7, 8, 10, 11, 12, 13, 6: return .rejected
            // A script that fails, for instance, is a system error.
            default: return .undecided("PAM's service \(service): \(words)")
            }
        }
    }

    /// Answers each question for something secret with the password, and every other one with nothing.
    private func answerPAM(
        count: CInt,
        messages: UnsafeMutablePointer<UnsafeRawPointer?>?,
        responses: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        data: UnsafeMutableRawPointer?
    ) -> CInt {
        // PAM_CONV_ERR; 32 is PAM_MAX_NUM_MSG.
        guard (1...32).contains(count), let messages, let responses, let data,
            let memory = calloc(Int(count), MemoryLayout<PAMLibrary.Response>.stride)
        else { return 19 }
        let answers = memory.bindMemory(to: PAMLibrary.Response.self, capacity: Int(count))
        // PAM frees both. 1 is PAM_PROMPT_ECHO_OFF.
        for index in 0..<Int(count) where messages[index]?.load(as: PAMLibrary.Message.self).style == 1 {
            answers[index].text = strdup(data.assumingMemoryBound(to: CChar.self))
        }
        responses.pointee = memory
        return PAMLibrary.success
    }

    /// What is used of libpam, found when the program runs.
    private struct PAMLibrary: @unchecked Sendable {
        // Functions of a library that is never unloaded.

        struct Message {
            var style: CInt
            var text: UnsafePointer<CChar>?
        }

        struct Response {
            var text: UnsafeMutablePointer<CChar>?
            var code: CInt
        }

        typealias Answer =
            @convention(c) (
                CInt, UnsafeMutablePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
                UnsafeMutableRawPointer?
            ) -> CInt

        struct Conversation {
            var answer: Answer
            var data: UnsafeMutableRawPointer?
        }

        typealias Start =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafeMutablePointer<OpaquePointer?>?
            ) -> CInt
        typealias StartIn =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafePointer<CChar>?,
                UnsafeMutablePointer<OpaquePointer?>?
            ) -> CInt
        typealias Step = @convention(c) (OpaquePointer?, CInt) -> CInt
        typealias Words = @convention(c) (OpaquePointer?, CInt) -> UnsafePointer<CChar>?

        static let success: CInt = 0
        static let silent: CInt = 0x8000

        let start: Start
        let startIn: StartIn?
        let authenticate: Step
        let accountCheck: Step
        let end: Step
        let words: Words

        init?(named name: String) {
            guard let library = dlopen(name, RTLD_NOW) else { return nil }
            func function<Function>(_ name: String, as type: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: type) }
            }
            guard let start = function("pam_start", as: Start.self),
                let authenticate = function("pam_authenticate", as: Step.self),
                let accountCheck = function("pam_acct_mgmt", as: Step.self),
                let end = function("pam_end", as: Step.self),
                let words = function("pam_strerror", as: Words.self)
            else { return nil }
            self.start = start
            self.authenticate = authenticate
            self.accountCheck = accountCheck
            self.end = end
            self.words = words
            startIn = function("pam_start_confdir", as: StartIn.self)
        }
    }
#endif
