import BluethroatByteCoding
import BluethroatMoneyTerms
package import BluethroatVirtualTime
package import Foundation
import Synchronization

/// Where a bank of this process has its time and its numbers from: the system, unless there is a world of virtual time
/// that it follows, and a seed.
package final class BankSource: Sendable {
    private struct State {
        var now: Int64?
        var random: SeededRandom?
    }

    private let state: Mutex<State>

    /// - Parameter seed: what keys, secrets and IDs follow from; nil for those of the system, which nobody can guess.
    package init(seed: UInt64? = nil) {
        state = Mutex(State(random: seed.map { SeededRandom(seed: $0, purpose: "bank") }))
    }

    /// Those of a bank that has its time and its numbers from here.
    package var settings: BankSettings {
        var settings = BankSettings()
        let system = settings.clock
        settings.clock = { [self] in state.withLock(\.now) ?? system() }
        guard state.withLock({ $0.random != nil }) else { return settings }
        settings.makeID = { [self] in bytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } }
        settings.makeSecret = { [self] in bytes(32).hex }
        settings.makeKey = { [self] in (try? BankSigningKey(Data(bytes(32)))) ?? BankSigningKey() }
        return settings
    }

    /// Makes IDs for who pays at this bank, too; nil where the system does.
    package var makeID: (() -> UUID)? {
        let isSeeded: Bool = state.withLock { state in state.random != nil }
        guard isSeeded else { return nil }
        return { [self] in settings.makeID() }
    }

    /// The bank's time is that of a world from now on, and this is it.
    package func follow(_ now: Instant) {
        state.withLock { $0.now = Self.beginning + now.nanoseconds / 1_000_000_000 }
    }

    /// When worlds of virtual time begin, for apps: 2001-01-01 00:00 UTC, in seconds since 1970.
    private static let beginning = Int64(Date(timeIntervalSinceReferenceDate: 0).timeIntervalSince1970)

    private func bytes(_ count: Int) -> [UInt8] { state.withLock { $0.random?.bytes(count) ?? [] } }
}
