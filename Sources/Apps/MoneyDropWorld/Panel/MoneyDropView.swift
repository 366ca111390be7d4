import BluethroatControlPanel
import BluethroatLive
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhones
import BluethroatSimulation
import BluethroatWorkbench
import CoreBluetooth
import Foundation

/// What the panel shows of MoneyDrop.
struct MoneyDropView: Described, Hashable {
    var guests: [GuestView]

    static let schema = Schema.object(named: "MoneyDrop", ["guests": .array(GuestView.schema)])
}

/// A phone's screen.
struct GuestView: Described, Hashable {
    var device: Int
    var phone: String
    var isRunning: Bool
    var isScreenOn: Bool
    var hasPhoto: Bool
    var name: String?
    var balance: String?
    var currency: String?
    var isBluetoothOn: Bool
    var isFindable: Bool
    var isLooking: Bool
    var problem: String?
    var unconfirmed: Int
    var people: [PersonView]
    var transfers: [TransferView]
    var notices: [NoticeView]
    var photosSent: [PhotoProgress]

    static let schema = Schema.object(
        named: "MoneyDropGuest",
        [
            "device": .integer("The number of the phone, for paths."),
            "phone": .string("What the phone is called."),
            "isRunning": .boolean("Whether the app runs."), "isScreenOn": .boolean(), "hasPhoto": .boolean(),
            "name": .string("That of the account."), "balance": .string("As the bank has told, with its currency."),
            "currency": .string(), "isBluetoothOn": .boolean(), "isFindable": .boolean(), "isLooking": .boolean(),
            "problem": .string("What is wrong with the bank or with the wallet."),
            "unconfirmed": .integer("Receipts that the bank is being asked about."),
            "people": .array(PersonView.schema, "Who was found."),
            "transfers": .array(TransferView.schema, "What was sent, in order."),
            "notices": .array(NoticeView.schema, "What was shown, in order."),
            "photosSent": .array(PhotoProgress.schema, "Who is fetching the guest's photo."),
        ],
        optional: ["name", "balance", "currency", "problem"]
    )
}

struct PersonView: Described, Hashable {
    var id: String
    var name: String?
    var photo: String
    var received: Int?
    var length: Int?
    var photoProblem: String?
    var isConnected: Bool
    var rssi: Int?
    var problem: String?
    var canBePaid: Bool

    static let schema = Schema.object(
        named: "MoneyDropPerson",
        [
            "id": .string("For transfers."), "name": .string("As the bank says."),
            "photo": .choice(["none", "older-version", "coming", "complete", "failed"]),
            "received": .integer("Bytes of the photo that are there."), "length": .integer("Of the photo."),
            "photoProblem": .string(), "isConnected": .boolean(), "rssi": .integer("In dBm."),
            "problem": .string("What is wrong with the person's phone, and what to do."), "canBePaid": .boolean(),
        ],
        optional: ["name", "received", "length", "photoProblem", "rssi", "problem"]
    )
}

struct TransferView: Described, Hashable {
    var id: String
    var to: String
    var amount: String
    var state: String
    var reason: String?

    static let schema = Schema.object(
        named: "MoneyDropTransfer",
        [
            "id": .string(), "to": .string("The recipient's name."), "amount": .string("With its currency."),
            "state": .choice(
                ["ordered", "paid", "told", "untold", "refused"],
                "The bank is asked; it has paid; the recipient knows, or does not; no money has moved."
            ),
            "reason": .string("Why not."),
        ],
        optional: ["reason"]
    )
}

struct NoticeView: Described, Hashable {
    var isMoney: Bool
    var amount: String?
    var payer: String?
    var reason: String?

    static let schema = Schema.object(
        named: "MoneyDropNotice",
        [
            "isMoney": .boolean("Money has come; else somebody has written something that is not true."),
            "amount": .string(), "payer": .string(), "reason": .string("Why it does not count."),
        ],
        optional: ["amount", "payer", "reason"]
    )
}

struct PhotoProgress: Described, Hashable {
    var peer: String
    var sent: Int
    var length: Int

    static let schema = Schema.object(
        named: "MoneyDropPhoto",
        ["peer": .string(), "sent": .integer("Bytes."), "length": .integer("Bytes.")]
    )
}

struct LookWish: Described {
    var isLooking: Bool

    static let schema = Schema.object(named: "LookWish", ["isLooking": .boolean()])
}

struct TransferWish: Described {
    var to: String
    var amount: String

    static let schema = Schema.object(
        named: "TransferWish",
        [
            "to": .string("The id of one of the guest's people."),
            "amount": .string("Such as 12.50, or 12.50 EUR; the guest's own currency if none is named."),
        ]
    )
}

extension GuestView {
    init(_ guest: MoneyGuest, in owner: some LiveSystem) {
        device = Int(guest.phone.device.rawValue)
        phone = owner.workbench[guest.phone.device]?.name ?? guest.phone.name
        isScreenOn = guest.phone.isScreenOn
        hasPhoto = guest.photo != nil
        guard let screen = guest.app?.screen else {
            (isRunning, isBluetoothOn, isFindable, isLooking, unconfirmed) = (false, false, false, false, 0)
            (people, transfers, notices, photosSent) = ([], [], [], [])
            return
        }
        isRunning = true
        name = screen.name
        balance = screen.balance.map { "\($0)" }
        currency = screen.balance.map { "\($0.currency)" }
        isBluetoothOn = screen.bluetooth == .poweredOn
        isFindable = screen.isFindable
        isLooking = screen.isLooking
        problem = screen.problem
        unconfirmed = screen.unconfirmedCount
        people = screen.people.map { PersonView($0) }
        transfers = screen.outgoing.suffix(20).map { TransferView($0) }
        notices = screen.notices.suffix(20).map { NoticeView($0) }
        photosSent = screen.photosBeingSent.map {
            PhotoProgress(peer: $0.peer.uuidString, sent: Int($0.sent), length: Int($0.length))
        }
    }
}

extension PersonView {
    fileprivate init(_ person: Person) {
        id = person.id.uuidString
        name = person.name
        isConnected = person.isConnected
        rssi = person.rssi
        problem = person.problem
        canBePaid = person.canBePaid
        switch person.photo {
        case .none: photo = "none"
        case .olderVersion: photo = "older-version"
        case .coming(let received, let length):
            (photo, self.received, self.length) = ("coming", Int(received), Int(length))
        case .complete(let length): (photo, received, self.length) = ("complete", Int(length), Int(length))
        case .failed(let why): (photo, photoProblem) = ("failed", why)
        }
    }
}

extension TransferView {
    fileprivate init(_ transfer: OutgoingTransfer) {
        id = transfer.id.uuidString
        to = transfer.recipient
        amount = "\(transfer.order.amount)"
        switch transfer.state {
        case .ordered: state = "ordered"
        case .paid: state = "paid"
        case .told: state = "told"
        case .untold(let why): (state, reason) = ("untold", why)
        case .refused(let why): (state, reason) = ("refused", why.sentence)
        }
    }
}

extension NoticeView {
    fileprivate init(_ notice: Notice) {
        switch notice {
        case .received(_, let amount, let payer):
            (isMoney, self.amount, self.payer) = (true, "\(amount)", payer)
        case .refused(let why, let amount, let payer):
            (isMoney, self.amount, self.payer, reason) = (false, amount.map { "\($0)" }, payer, why.sentence)
        }
    }
}
