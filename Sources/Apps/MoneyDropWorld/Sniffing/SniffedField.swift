/// What a passer-by may learn from a payment nearby.
public enum SniffedField: String, CaseIterable, Sendable {
    case service, address
    case name, currency, token, expiry
    case photoDigest = "photo-digest"
    case detailsSignature = "details-signature"
    case photo
    case transfer, amount, payer, time
    case receiptSignature = "receipt-signature"
    case account, secret

    /// In words.
    public var title: String {
        switch self {
        case .service: "somebody can be paid here"
        case .address: "the recipient phone's address"
        case .name: "the recipient's name"
        case .currency: "the recipient's currency"
        case .token: "the token to pay to"
        case .expiry: "until when it is good"
        case .photoDigest: "the photo's length, SHA-256"
        case .detailsSignature: "the bank's signature of these"
        case .photo: "the photo"
        case .transfer: "the transaction number"
        case .amount: "the amount"
        case .payer: "the payer's name"
        case .time: "when it was paid"
        case .receiptSignature: "the bank's signature of these"
        case .account: "an account number"
        case .secret: "an account's secret"
        }
    }
}
