import Foundation

/// Whose receipts are to be printed: each once, however often its payment is reported, and what cannot be printed again
/// and again until it can.
struct ReceiptQueue {
    /// Transfers whose receipts are not printed yet, the oldest first.
    private(set) var waiting: [UUID] = []
    private var printed: Set<UUID> = []
    private var reported: Set<UUID> = []

    /// So many may wait; then the oldest is given up.
    private static let limit = 100

    /// There is a payment.
    mutating func add(_ transfer: UUID) {
        guard !printed.contains(transfer), !waiting.contains(transfer) else { return }
        waiting.append(transfer)
        if waiting.count > Self.limit { reported.remove(waiting.removeFirst()) }
    }

    /// It is printed.
    mutating func isDone(_ transfer: UUID) {
        waiting.removeAll { $0 == transfer }
        reported.remove(transfer)
        printed.insert(transfer)
    }

    /// It cannot be printed now. True the first time, when that is to be said.
    mutating func hasFailed(_ transfer: UUID) -> Bool { reported.insert(transfer).inserted }
}
