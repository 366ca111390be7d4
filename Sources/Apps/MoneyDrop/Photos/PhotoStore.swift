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

/// Photos in memory, which survive the app as long as there is a reference to them.
public final class MemoryPhotos: PhotoStore {
    private var photos: [Data: Data] = [:]

    public init() {}

    public func load(_ photo: PhotoDescription) -> Data { photos[photo.digest] ?? Data() }

    public func write(_ bytes: Data, at offset: UInt64, of photo: PhotoDescription) {
        let count = photos[photo.digest]?.count ?? 0
        guard UInt64(count) >= offset else { return }
        let start = Int(offset), end = min(count, start + bytes.count)
        // In its place: to copy a long photo for each piece of it would take longer than the air.
        photos[photo.digest, default: Data()].replaceSubrange(start..<end, with: bytes)
    }

    public func remove(_ photo: PhotoDescription) { photos[photo.digest] = nil }
}
