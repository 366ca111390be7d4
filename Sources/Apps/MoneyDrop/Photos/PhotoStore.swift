public import BluethroatMoneyTerms
public import Foundation

/// Keeps what has come of other people's photos, so that it does not come again after a break, or after the app's end.
public protocol PhotoStore: AnyObject {
    /// What is there of a photo, from its first byte on; it may be damaged.
    func load(_ photo: PhotoDescription) -> Data
    /// Keeps the bytes from there on. Where that is not possible less is there the next time.
    func write(_ bytes: Data, at offset: UInt64, of photo: PhotoDescription)
    func remove(_ photo: PhotoDescription)
    /// The path of the file that has it, for people; nil if there is none. By default there is none.
    func location(of photo: PhotoDescription) -> String?
}

extension PhotoStore {
    public func location(of photo: PhotoDescription) -> String? { nil }
}

/// Photos in memory, which survive the app as long as there is a reference to them, and not more than there is room for.
public final class MemoryPhotos: PhotoStore {
    /// In bytes, of all photos together. Those to which nothing was added for longest go first, and the last one never.
    public let limit: UInt64
    private var photos: [Data: Data] = [:]
    /// Digests, the one to whose photo something was added last at the end.
    private var order: [Data] = []

    public init(limit: UInt64 = 512 << 20) { self.limit = limit }

    public func load(_ photo: PhotoDescription) -> Data { photos[photo.digest] ?? Data() }

    public func write(_ bytes: Data, at offset: UInt64, of photo: PhotoDescription) {
        let count = photos[photo.digest]?.count ?? 0
        guard UInt64(count) >= offset else { return }
        let start = Int(offset), end = min(count, start + bytes.count)
        if end - start == count {
            // All of it: the same bytes need not be there twice.
            photos[photo.digest] = bytes
        } else {
            // In its place: to copy a long photo for each piece of it would take longer than the air.
            photos[photo.digest, default: Data()].replaceSubrange(start..<end, with: bytes)
        }
        guard order.last != photo.digest else { return makeRoom() }
        order.removeAll { $0 == photo.digest }
        order.append(photo.digest)
        makeRoom()
    }

    public func remove(_ photo: PhotoDescription) {
        photos[photo.digest] = nil
        order.removeAll { $0 == photo.digest }
    }

    private func makeRoom() {
        while order.count > 1, photos.values.reduce(0, { $0 + UInt64($1.count) }) > limit {
            photos[order.removeFirst()] = nil
        }
    }
}
