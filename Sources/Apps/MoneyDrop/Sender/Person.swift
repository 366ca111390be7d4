public import BluethroatMoneyTerms
public import Foundation

/// A person who is, or was, near and can be paid.
public struct Person: Identifiable, Hashable, Sendable {
    /// How the photo is getting on.
    public enum Photo: Hashable, Sendable {
        /// The person has none.
        case none
        /// The person's MoneyDrop is of the first version, which knew no photos.
        case olderVersion
        /// So many bytes are there of so many.
        case coming(UInt64, of: UInt64)
        /// It is there: `MoneyDropApp.photo(of:)`.
        case complete(UInt64)
        case failed(String)
    }

    /// The phone, as this one knows it.
    public let id: UUID
    /// What the bank says the person is called; nil while the details are not there yet.
    public var name: String?
    public var currency: Currency?
    public var photo = Photo.none
    public var isConnected = false
    /// How strong the phone was heard last, in dBm.
    public var rssi: Int?
    /// What is wrong with the person's phone, and what to do.
    public var problem: String?
    /// Whether money can be sent now.
    public var canBePaid: Bool { name != nil && problem == nil }
}
