public import Foundation

extension PrivateFiles {
    /// A folder that only this user may enter: made with mode 0700 where there is none, refused where it is open to
    /// others or theirs.
    public static func makeFolder(_ folder: URL) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .failed(folder.path, "is a folder that cannot be made; name another one")
        }
        guard let descriptor = try openFolder(folder) else { return }
        close(descriptor)
    }

    /// The descriptor of a private folder, which the caller closes; nil if there is none.
    public static func openFolder(_ folder: URL) throws(Failure) -> CInt? {
        let descriptor = Foundation.open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ENOTDIR: throw .failed(folder.path, "is no folder; name another one")
            default: throw Failure(errno: errno, folder.path)
            }
        }
        var status = stat()
        do throws(Failure) {
            guard fstat(descriptor, &status) == 0 else { throw Failure(errno: errno, folder.path) }
            try checkOwner(status, folder.path, chmod: "700")
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Where the file of this name is, or is to be.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Refuses a folder in which another user may put a file in the place of one of ours: a folder that all may write to, or a
    /// group that is not the user's first one, if it has no sticky bit, and a folder of another user. Root may use any user's.
    static func checkNamesStay(inFolderOf path: String) throws(Failure) {
        let folder = folder(of: path)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            if errno == ENOENT { return }
            throw Failure(errno: errno, folder)
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 || geteuid() == 0 else {
            throw .failed(folder, "belongs to another user, who could replace the file; name one in your own")
        }
        // With an access control list the group's bits are what anybody in the list may do at most.
        let isOwnGroup = status.st_gid == getegid() && !hasAccessList(folder)
        let others: mode_t = isOwnGroup ? S_IWOTH : S_IWOTH | S_IWGRP
        guard status.st_mode & others == 0 || status.st_mode & S_ISVTX != 0 else {
            let who = status.st_mode & S_IWOTH != 0 ? "o" : "g"
            throw .failed(folder, "may be written to by others, who could replace the file: chmod \(who)-w \(folder)")
        }
    }

    /// Refuses a folder, and a file in it if there is one, that anybody but this user and root could have written: who can write there
    /// says what this process does. A sticky bit is no help, as others may add files.
    package static func checkTrusted(_ folder: String, and name: String) throws(Failure) {
        for path in [folder, "\(folder)/\(name)"] {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw .failed(path, "belongs to another user, who could change it; use one of your own")
            }
            guard status.st_mode & (S_IWOTH | S_IWGRP) == 0 else {
                throw .failed(path, "may be written to by others, who could change it: chmod go-w \(path)")
            }
        }
    }

    /// Whether a folder has an access control list (acl(5)) beside its mode.
    private static func hasAccessList(_ folder: String) -> Bool {
        #if os(Linux)
            // Glibc's module does not have it.
            typealias GetAttribute =
                @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
            guard let function = dlsym(nil, "getxattr") else { return false }
            return unsafeBitCast(function, to: GetAttribute.self)(folder, "system.posix_acl_access", nil, 0) > 0
        #else
            return false
        #endif
    }
}
