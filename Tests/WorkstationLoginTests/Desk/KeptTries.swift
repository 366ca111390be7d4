import Synchronization

@testable import BluethroatWorkstationLogin

/// Counts that a desk keeps in memory, or cannot keep.
final class KeptTries: DeskTries {
    private let kept = Mutex(DeskFailures())
    private let fault = Mutex<String?>(nil)
    private let count = Mutex(0)

    var failures: DeskFailures { kept.withLock { $0 } }

    /// How often something was to be kept.
    var writes: Int { count.withLock { $0 } }

    func refuse(_ why: String?) { fault.withLock { $0 = why } }

    func keep(_ failures: DeskFailures) -> String? {
        count.withLock { $0 += 1 }
        if let why = fault.withLock({ $0 }) { return why }
        kept.withLock { $0 = failures }
        return nil
    }
}
