import BluethroatPhoneService
import BluethroatSimulation
import Synchronization

/// Which phones of a world have commands of apps waiting, so that the queues of all the others need not be asked.
final class PendingPhones: Sendable {
    private struct State {
        /// The phones that have some, in the order of their arrival, each once.
        var waiting: [Int] = []
        var isWaiting: [Bool] = []
    }

    private let state = Mutex(State())
    /// Only for the thread that owns the world.
    nonisolated(unsafe) private var phones: [Phone] = []

    /// Of the phone that was made last.
    nonisolated(unsafe) private var settings: SharedPhoneSettings?

    init(in world: World) {
        // The world keeps us for as long as it is there.
        world.addExternalWork { [unowned self] in drain() }
    }

    /// The number of the phone that is added next.
    var nextNumber: Int { phones.count }

    func add(_ phone: Phone) {
        phones.append(phone)
        state.withLock { $0.isWaiting.append(false) }
    }

    /// The settings of a phone that is being made, shared with the one before it if that is like it: crowds are of phones
    /// that are alike.
    func share(_ wanted: PhoneSettings) -> SharedPhoneSettings {
        if let settings, settings.settings == wanted { return settings }
        let new = SharedPhoneSettings(wanted)
        settings = new
        return new
    }

    /// An app has left a command, on any thread.
    func note(_ number: Int) {
        state.withLock { state in
            guard !state.isWaiting[number] else { return }
            state.isWaiting[number] = true
            var place = state.waiting.count
            while place > 0, state.waiting[place - 1] > number { place -= 1 }
            state.waiting.insert(number, at: place)
        }
    }

    /// Has each phone carry out its commands once, those included for which commands come meanwhile.
    private func drain() {
        var last = -1
        while let number = takeFirst(after: last) {
            phones[number].performCommands()
            last = number
        }
    }

    private func takeFirst(after last: Int) -> Int? {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0 > last }) else { return nil }
            let number = state.waiting.remove(at: place)
            state.isWaiting[number] = false
            return number
        }
    }
}
