import Foundation

/// Whose program is at the other end of a way to a controller. A controller learns the keys of all links, so that one that
/// another user of the machine offers, perhaps at the usual port before its owner does, would have the keys of bonds.
enum ControllerOwner: Hashable {
    /// This user, or one who may do all that this user may.
    case own
    /// Another user of this machine, by the user ID.
    case other(uid_t)
    /// A program on another machine, or the system does not say.
    case unknown

    /// - Parameter user: what the system says.
    init(user: uid_t) { self = Self.trusted.contains(user) ? .own : .other(user) }

    /// This user, root, and who has become root: by `sudo` or `pkexec`, which say who it was, or by anything else, `su` for
    /// one, where the system keeps who has logged in.
    private static let trusted: Set<uid_t> = {
        var users: Set<uid_t> = [0, getuid(), geteuid()]
        guard geteuid() == 0 else { return users }
        for name in ["SUDO_UID", "PKEXEC_UID"] {
            if let user = ProcessInfo.processInfo.environment[name].flatMap({ uid_t($0) }) { users.insert(user) }
        }
        #if os(Linux)
            if let user = userWhoLoggedIn((try? String(contentsOfFile: "/proc/self/loginuid", encoding: .utf8)) ?? "") {
                users.insert(user)
            }
        #endif
        return users
    }()

    /// The user whose session this process is part of, by what Linux says of it; nil for a process that nobody's session has
    /// begun. Only root can set it.
    static func userWhoLoggedIn(_ text: String) -> uid_t? {
        let user = uid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return user == .max ? nil : user
    }

    /// Who listens at the other end of a connected Unix socket.
    static func ofSocket(_ descriptor: CInt) -> Self {
        #if os(Linux)
            // `struct ucred`: process, user and group.
            var peer: (pid_t, uid_t, gid_t) = (0, 0, 0)
            var length = socklen_t(MemoryLayout.size(ofValue: peer))
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else { return .unknown }
            return ControllerOwner(user: peer.1)
        #elseif canImport(Darwin)
            var user: uid_t = 0, group: gid_t = 0
            return getpeereid(descriptor, &user, &group) == 0 ? ControllerOwner(user: user) : .unknown
        #else
            return .unknown
        #endif
    }

    /// Who has made an open serial line or pseudo-terminal.
    static func ofLine(_ descriptor: CInt) -> Self {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? ControllerOwner(user: status.st_uid) : .unknown
    }

    /// Who has made the file or the link of this name.
    static func ofLink(_ path: String) -> Self {
        var status = stat()
        return lstat(path, &status) == 0 ? ControllerOwner(user: status.st_uid) : .unknown
    }

    /// Who has the other end of a connected TCP socket, where that is on this machine.
    static func ofConnection(_ descriptor: CInt) -> Self {
        #if os(Linux)
            guard let user = ConnectionEnds(descriptor).flatMap({ userOfPeer(of: $0) }) else { return .unknown }
            return ControllerOwner(user: user)
        #else
            return .unknown
        #endif
    }

    #if os(Linux)
        /// The user at the other end; nil if the system does not say.
        ///
        /// - Parameter tables: reads what Linux says of all sockets.
        static func userOfPeer(of ends: ConnectionEnds, _ tables: () -> LocalConnections = { .init() }) -> uid_t? {
            // For a peer on another machine, a local listener on the same port would be found.
            guard ends.areOnOneMachine else { return nil }
            if let user = SocketLookup.userOfPeer(of: ends) { return user }
            // A sandbox may have the tables only. One that changes while it is read may lack a line.
            for _ in 0..<3 {
                if let user = tables().userOfPeer(of: ends) { return user }
            }
            return nil
        }
    #endif
}

extension HCITransportError {
    init(foreign user: uid_t, at place: String) {
        self.init(
            "the controller at \(place) is another user's (ID \(user)), who would learn the keys of all links; end that "
                + "program, or use a controller of your own"
        )
    }
}
