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
}
