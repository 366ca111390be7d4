import BluethroatMoneyTerms
import Foundation

/// A receipt in a wallet, beside the transfer that it is of: so it is found without reading any other one.
struct KeptReceipt: Codable, Hashable, Sendable {
    /// Nil for what is no receipt, in a wallet of before.
    let transfer: UUID?
    let bytes: Data

    init(transfer: UUID, bytes: Data) {
        (self.transfer, self.bytes) = (transfer, bytes)
    }

    /// A wallet of before has the bytes alone.
    init(from decoder: any Decoder) throws {
        if let bytes = try? decoder.singleValueContainer().decode(Data.self) {
            transfer = (try? Receipt.claim(in: bytes))?.transfer
            self.bytes = bytes
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        transfer = try values.decodeIfPresent(UUID.self, forKey: .transfer)
        bytes = try values.decode(Data.self, forKey: .bytes)
    }
}
