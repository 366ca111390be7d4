import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhones
import BluethroatRadioMedium
import Foundation

/// A guest with a phone, and with MoneyDrop on it once there is an account.
final class MoneySeat {
    let plan: GuestPlan
    let phone: Phone
    private(set) var wallet: any WalletStore = MemoryWallet()
    private(set) var photos: any PhotoStore = MemoryPhotos()
    var app: PhoneApp?
    var told = MoneyTold()
    /// What is to be printed.
    var receipts = ReceiptQueue()

    init(_ plan: GuestPlan, _ phone: Phone) {
        self.plan = plan
        self.phone = phone
    }

    var drop: MoneyDropApp? { app?.root(as: MoneyDropApp.self) }

    /// Keeps what has to survive the command.
    func keep(in file: WalletFile) {
        wallet = file
        photos = PhotoFolder(path: file.path + ".photos")
    }
}
