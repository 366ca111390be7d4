import BluethroatPhoneService
import BluethroatSimulation
import Synchronization

/// Which phones of a world have commands of apps waiting, so that the queues of all the others need not be asked.
final class PendingPhones {
    /// The numbers of those phones. Apps keep this set, and not its owner.
    let waiting = WaitingNumbers()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var phones: [Phone] = []

    /// Of the phone that was made last.
    private var settings: SharedPhoneSettings?

    init(in world: World) {
        // The world keeps us for as long as it is there.
        world.addExternalWork { [unowned self] in drain() }
    }

    /// The number of the phone that is added next.
    var nextNumber: Int { phones.count }

    func add(_ phone: Phone) {
        phones.append(phone)
    }

    /// The settings of a phone that is being made, shared with the one before it if that is like it: crowds are of phones
    /// that are alike.
    func share(_ wanted: PhoneSettings) -> SharedPhoneSettings {
        if let settings, settings.settings == wanted { return settings }
        let new = SharedPhoneSettings(wanted)
        settings = new
        return new
    }

    /// Has each phone carry out its commands once, those included for which commands come meanwhile.
    private func drain() {
        var next = 0
        while let number = waiting.removeFirst(from: next) {
            phones[number].performCommands()
            next = number + 1
        }
    }
}

/// Numbers that any thread may add.
final class WaitingNumbers: Sendable {
    private let numbers = Mutex(NumberSet())

    func insert(_ number: Int) { numbers.withLock { $0.insert(number) } }

    /// Takes out the lowest number that is no less than `start`; nil if there is none.
    func removeFirst(from start: Int) -> Int? { numbers.withLock { $0.removeFirst(from: start) } }
}
