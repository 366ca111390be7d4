public import BluethroatMoneyTerms
import BluethroatPrivateFiles
public import Foundation

/// Photos in a folder that only its owner may enter: a file for each, by its digest, and not more than there is room
/// for.
public final class PhotoFolder: PhotoStore {
    public let path: String
    /// In bytes, of all photos together. Those to which nothing was added for longest go first.
    public let limit: UInt64
    private var open: (photo: PhotoDescription, file: FileHandle)?

    /// There need not be a folder yet.
    public init(path: String, limit: UInt64 = 512 << 20) {
        self.path = path
        self.limit = limit
    }

    public func load(_ photo: PhotoDescription) -> Data {
        // What is longer than the photo is no part of it.
        let bytes = try? PrivateFiles.read(URL(filePath: file(of: photo)), limit: Int(clamping: photo.length))
        return (bytes ?? nil) ?? Data()
    }

    public func write(_ bytes: Data, at offset: UInt64, of photo: PhotoDescription) {
        do {
            let file = try handle(photo)
            // A gap must not be. There is one if the file had to make room.
            guard try file.seekToEnd() >= offset else { return remove(photo) }
            try file.seek(toOffset: offset)
            try file.write(contentsOf: bytes)
        } catch {
            // The photo comes all the same, and is not kept.
            remove(photo)
        }
    }

    public func remove(_ photo: PhotoDescription) {
        if open?.photo == photo { open = nil }
        unlink(file(of: photo))
    }

    public func location(of photo: PhotoDescription) -> String? {
        let name = file(of: photo)
        return FileManager.default.fileExists(atPath: name) ? name : nil
    }

    private func file(of photo: PhotoDescription) -> String {
        path + "/" + photo.digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The file to which something was added last stays open.
    private func handle(_ photo: PhotoDescription) throws -> FileHandle {
        if let open, open.photo == photo { return open.file }
        open = nil
        let name = file(of: photo)
        try PrivateFiles.makeFolder(URL(filePath: path))
        if !FileManager.default.fileExists(atPath: name) { makeRoom(for: photo.length) }
        let file = try PrivateFiles.openOrCreate(URL(filePath: name))
        open = (photo, file)
        return file
    }

    private func makeRoom(for length: UInt64) {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let urls = try? FileManager.default.contentsOfDirectory(
            at: URL(filePath: path),
            includingPropertiesForKeys: Array(keys)
        )
        var photos = (urls ?? []).map { url in
            let values = try? url.resourceValues(forKeys: keys)
            return (url, size: UInt64(values?.fileSize ?? 0), date: values?.contentModificationDate ?? .distantPast)
        }.sorted { $0.date > $1.date }
        var sum = photos.reduce(0) { $0 + $1.size }
        // What is longer than there is room for takes all the others away, and no sum is larger than a number may be.
        while length > limit || sum > limit - length, let oldest = photos.popLast() {
            unlink(oldest.0.path)
            sum -= oldest.size
        }
    }
}
