public import CoreBluetooth

/// What MoneyDrop is called on the air. `docs/moneydrop.md` has the bytes behind it.
public enum MoneyDropUUIDs {
    /// What recipients publish and senders look for.
    public static var service: CBUUID { CBUUID(string: "6D0E0001-52A1-4D8F-9C3B-7A1F0C5E4D52") }
    /// Who it is, and whom the bank is to pay: a payee token. Read.
    public static var details: CBUUID { CBUUID(string: "6D0E0002-52A1-4D8F-9C3B-7A1F0C5E4D52") }
    /// Takes receipts. Write, with a response.
    public static var message: CBUUID { CBUUID(string: "6D0E0003-52A1-4D8F-9C3B-7A1F0C5E4D52") }
    /// Where the photo is to be had: the number of an L2CAP channel, UInt16, little-endian. Read, indicate. The first
    /// MoneyDrop does not have it.
    public static var psm: CBUUID { CBUUID(string: "6D0E0004-52A1-4D8F-9C3B-7A1F0C5E4D52") }
}

/// What a recipient answers to a receipt, besides success: ATT's application errors.
public enum MessageError: UInt8, Sendable, CaseIterable {
    /// It is no receipt.
    case malformed = 0x80
    /// The bank has not signed it, or it was changed since.
    case forged = 0x81
    /// It was here before. The sender need not deliver again.
    case replayed = 0x82
    /// It is of a version that this phone does not know.
    case unknownVersion = 0x83
    /// The phone can take none at the moment; try again.
    case busy = 0x84
}
