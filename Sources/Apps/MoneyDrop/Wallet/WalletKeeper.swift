import BluethroatMoneyTerms
import Foundation

/// The wallet of a running app: nothing that follows from a change happens before the change is kept.
final class WalletKeeper {
    private(set) var wallet: Wallet
    private let store: any WalletStore
    private let changed: () -> Void
    /// Why the last change could not be kept.
    private(set) var problem: String?

    /// Notices of refused receipts beyond these are dropped, the oldest first: strangers can cause any number.
    private static let refusalLimit = 100

    init(_ store: any WalletStore, changed: @escaping () -> Void) throws {
        self.store = store
        self.changed = changed
        wallet = try store.load() ?? Wallet()
    }

    /// Changes the wallet; false if the change cannot be kept, and then there is none.
    @discardableResult
    func change(_ body: (inout Wallet) -> Void) -> Bool {
        var next = wallet
        body(&next)
        guard next != wallet else { return true }
        do {
            try store.save(next)
            wallet = next
            problem = nil
        } catch {
            problem = "\(error)"
        }
        changed()
        return problem == nil
    }

    func outgoing(_ transfer: UUID) -> OutgoingTransfer? { wallet.outgoing.first { $0.id == transfer } }

    @discardableResult
    func set(_ transfer: UUID, _ state: OutgoingTransfer.State, receipt: Data? = nil) -> Bool {
        change { wallet in
            guard let index = wallet.outgoing.lastIndex(where: { $0.id == transfer }) else { return }
            wallet.outgoing[index].state = state
            if let receipt { wallet.keep(receipt: receipt, of: transfer) }
        }
    }

    func refuse(_ refusal: ReceiptRefusal, amount: Money? = nil, payer: String? = nil) {
        change { wallet in
            let old = wallet.notices.indices.filter { if case .refused = wallet.notices[$0] { true } else { false } }
            if old.count >= Self.refusalLimit, let first = old.first { wallet.notices.remove(at: first) }
            wallet.notices.append(.refused(because: refusal, amount: amount, payer: payer))
        }
    }
}
