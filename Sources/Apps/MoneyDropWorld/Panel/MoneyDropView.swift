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
    static let schemaName = "MoneyDrop"

    @Property var guests: [GuestView] = []
}

/// A phone's screen.
struct GuestView: Described, Hashable {
    static let schemaName = "MoneyDropGuest"

    @Property("The number of the phone, for paths.") var device = 0
    @Property("What the phone is called.") var phone = ""
    @Property("Whether the app runs.") var isRunning = false
    @Property var isScreenOn = false
    @Property var hasPhoto = false
    @Property("That of the account.") var name: String? = nil
    @Property("As the bank has told, with its currency.") var balance: String? = nil
    @Property var currency: String? = nil
    @Property var isBluetoothOn = false
    @Property var isFindable = false
    @Property var isLooking = false
    @Property("What is wrong with the bank or with the wallet.") var problem: String? = nil
    @Property("Receipts that the bank is being asked about.") var unconfirmed = 0
    @Property("Who was found.") var people: [PersonView] = []
    @Property("What was sent, in order.") var transfers: [TransferView] = []
    @Property("What was shown, in order.") var notices: [NoticeView] = []
    @Property("Who is fetching the guest's photo.") var photosSent: [PhotoProgress] = []
}

struct PersonView: Described, Hashable {
    static let schemaName = "MoneyDropPerson"

    enum Photo: String, CaseIterable, SchemaValue {
        case none
        case olderVersion = "older-version"
        case coming
        case complete
        case failed
    }

    @Property("For transfers.") var id = ""
    @Property("As the bank says.") var name: String? = nil
    @Property var photo = Photo.none
    @Property("Bytes of the photo that are there.") var received: Int? = nil
    @Property("Of the photo.") var length: Int? = nil
    @Property var photoProblem: String? = nil
    @Property var isConnected = false
    @Property("In dBm.") var rssi: Int? = nil
    @Property("What is wrong with the person's phone, and what to do.") var problem: String? = nil
    @Property var canBePaid = false
}

struct TransferView: Described, Hashable {
    static let schemaName = "MoneyDropTransfer"

    enum State: String, CaseIterable, SchemaValue {
        case ordered, paid, told, untold, refused
    }

    @Property var id = ""
    @Property("The recipient's name.") var to = ""
    @Property("With its currency.") var amount = ""
    @Property("The bank is asked; it has paid; the recipient knows, or does not; no money has moved.")
    var state = State.ordered
    @Property("Why not.") var reason: String? = nil
}

struct NoticeView: Described, Hashable {
    static let schemaName = "MoneyDropNotice"

    @Property("Money has come; else somebody has written something that is not true.") var isMoney = false
    @Property var amount: String? = nil
    @Property var payer: String? = nil
    @Property("Why it does not count.") var reason: String? = nil
}

struct PhotoProgress: Described, Hashable {
    static let schemaName = "MoneyDropPhoto"

    @Property var peer = ""
    @Property("Bytes.") var sent = 0
    @Property("Bytes.") var length = 0
}

struct LookingAround: Described {
    static let schemaName = "LookingAround"

    @Property var isLooking = false
}

struct TransferOrder: Described {
    static let schemaName = "TransferOrder"

    @Property("The id of one of the guest's people.") var to = ""
    @Property("Such as 12.50, or 12.50 EUR; the guest's own currency if none is named.") var amount = ""
}

extension GuestView {
    init(_ guest: MoneyGuest, in owner: some LiveSystem) {
        device = Int(guest.phone.device.rawValue)
        phone = owner.workbench[guest.phone.device]?.name ?? guest.phone.name
        isScreenOn = guest.phone.isScreenOn
        hasPhoto = guest.photo != nil
        guard let screen = guest.app?.screen else { return }
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
        case .none: photo = .none
        case .olderVersion: photo = .olderVersion
        case .coming(let received, let length):
            (photo, self.received, self.length) = (.coming, Int(received), Int(length))
        case .complete(let length): (photo, received, self.length) = (.complete, Int(length), Int(length))
        case .failed(let why): (photo, photoProblem) = (.failed, why)
        }
    }
}

extension TransferView {
    fileprivate init(_ transfer: OutgoingTransfer) {
        id = transfer.id.uuidString
        to = transfer.recipient
        amount = "\(transfer.order.amount)"
        switch transfer.state {
        case .ordered: state = .ordered
        case .paid: state = .paid
        case .told: state = .told
        case .untold(let why): (state, reason) = (.untold, why)
        case .refused(let why): (state, reason) = (.refused, why.sentence)
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
