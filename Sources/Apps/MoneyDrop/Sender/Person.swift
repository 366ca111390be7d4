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
    /// Whether the problem is that another name or photo was shown just now, which is over in a moment.
    public var hasJustChanged = false
    /// Whether money can be sent in spite of the problem, which is that the phone has forgotten the pairing: for as long as
    /// its details are fresh. The person hears of it by the bank.
    public var canStillBePaid = false
    /// Whether money can be sent now.
    public var canBePaid: Bool { name != nil && (problem == nil || canStillBePaid) }
}

extension MoneyScreen {
    /// Those who are meant by a name: those who are called exactly so; where nobody is, those whose names differ in
    /// case only. A phone's `Person.id` as text means the person with that phone.
    public func people(called name: String) -> [Person] {
        let exact = people.filter { $0.name == name || $0.id.uuidString == name }
        guard exact.isEmpty else { return exact }
        return people.filter { $0.name?.lowercased() == name.lowercased() }
    }

    /// The latest transfer of this amount that awaits its outcome, to the one who is meant by a name: exactly so, or but
    /// for its case where there is none.
    public func awaitedTransfer(of amount: Money, to name: String) -> OutgoingTransfer? {
        outgoing.awaitedTransfer(of: amount, to: name)
    }
}
