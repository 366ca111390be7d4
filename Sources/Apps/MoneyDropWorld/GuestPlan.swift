package import BluethroatEvents
import BluethroatMoneyDrop
public import BluethroatMoneyTerms
import BluethroatPhoneService
public import BluethroatRadioMedium
import BluethroatVirtualTime
public import Foundation

/// A guest who is to have a phone with MoneyDrop.
public struct GuestPlan: Sendable {
    /// Where the account is kept, with what was sent and received.
    public enum Wallet: Hashable, Sendable {
        /// It is forgotten with the world.
        case forgotten
        case file(String)
        /// Where this user's wallets are, by bank and name.
        case usual
    }

    /// What the owner carries. Apple, WWDC 2017, session 712.
    public enum Device: String, CaseIterable, Sendable {
        /// A phone whose connections have intervals of 30 ms.
        case phone
        /// Connections of 15 ms.
        case iphone
        /// Pays and is not paid: a central only, with two connections of 30 ms, until the app is suspended.
        case watch
        /// The same, until the app leaves the screen.
        case tv

        var settings: PhoneSettings {
            switch self {
            case .phone: PhoneSettings()
            case .iphone: .iPhone
            case .watch: .watch
            case .tv: .television
            }
        }

        /// Whether its owner can be found and paid.
        public var canReceive: Bool { !settings.kind.isCentralOnly }
    }

    /// What the owner's account is called.
    public var name: String
    /// What others see of the owner.
    public var photo: Data?
    /// Where the account is kept.
    public var wallet: Wallet
    /// That of a new account.
    public var currency: Currency
    /// Where the phone is; nil is two metres beside the last one.
    public var position: Position?
    /// Whether it has MoneyDrop's first version: without photo and channel.
    public var isOlder: Bool
    /// Whether the photo's channel wants an encrypted connection: `MoneyDropSettings.encryptsChannel`.
    public var encryptsChannel: Bool
    /// What the owner carries.
    public var device: Device
    /// Where a receipt of each payment is printed; nil for none.
    public var receipts: ReceiptFile?

    /// By default the account is forgotten with the world.
    public init(
        name: String,
        photo: Data? = nil,
        wallet: Wallet = .forgotten,
        currency: Currency = .euro,
        position: Position? = nil,
        isOlder: Bool = false,
        encryptsChannel: Bool = true,
        device: Device = .phone,
        receipts: ReceiptFile? = nil
    ) {
        self.name = name
        self.photo = photo
        self.wallet = wallet
        self.currency = currency
        self.position = position
        self.isOlder = isOlder
        self.encryptsChannel = encryptsChannel
        self.device = device
        self.receipts = receipts
    }

    private static let names = [
        "Anna", "Ben", "Carol", "David", "Emma", "Frank", "Grete", "Hugo", "Ida", "Jan", "Klara", "Leo", "Mia",
        "Nils", "Olga", "Paul", "Quirin", "Rosa", "Sven", "Tilda",
    ]

    /// The guests of a café, at most 20, in a circle. One of more than three has the first version.
    ///
    /// - Parameter receipts: where they have receipts printed.
    public static func cafe(
        people: Int,
        photoSize: Int,
        seed: UInt64,
        receipts: ReceiptFile? = nil
    ) -> [GuestPlan] {
        var random = SeededRandom(seed: seed, purpose: "photos")
        return (0..<min(people, names.count)).map { number in
            let angle = 2 * Double.pi * Double(number) / Double(people)
            return GuestPlan(
                name: names[number],
                photo: GuestPicture.make(number, size: photoSize, using: &random),
                position: .metres(x: 4 + 3 * cos(angle), y: 4 + 3 * sin(angle)),
                // One of them has not updated for years.
                isOlder: number == people - 1 && people > 3,
                receipts: receipts
            )
        }
    }
}

extension GuestPlan {
    /// Reads a photo.
    package static func photo(at path: String) throws(OperationFailure) -> Data {
        // A longer photo is never fetched.
        let most = MoneyDropSettings().photoLimit
        var photo = Data()
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            while photo.count <= most, let more = try file.read(upToCount: 1 << 20), !more.isEmpty { photo += more }
        } catch {
            throw OperationFailure("the photo \(path) cannot be read; name a file that is there", .wrongUsage)
        }
        if photo.isEmpty { throw OperationFailure("\(path) is empty; name a file with a photo", .wrongUsage) }
        guard photo.count <= most else {
            throw OperationFailure("\(path) is longer than \(most >> 20) MiB; name a smaller photo", .wrongUsage)
        }
        return photo
    }
}
