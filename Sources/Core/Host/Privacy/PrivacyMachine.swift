internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The host's private addresses and the controller's resolving list: what has to change while nothing advertises, scans
/// or connects, and how far that has come.
struct PrivacyMachine {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case setRandomAddress(RandomAddressUse, DeviceAddress)
        case list(ResolvingListSequencer.Step)
    }

    enum Stage: Equatable {
        case idle
        /// All that is on the air is on its way off.
        case holding
        /// A command is under way.
        case working
    }

    var stage = Stage.idle
    var random: RandomAddress
    var list = ResolvingListSequencer()

    /// What makes this host's private addresses.
    let identityResolvingKey: Block128

    init(random: RandomAddress, identityResolvingKey: Block128) {
        self.random = random
        self.identityResolvingKey = identityResolvingKey
    }

    /// The next command that is needed for this random address; nil if there is none.
    mutating func nextStep(for use: RandomAddressUse?) -> Step? {
        if let step = list.nextStep { return .list(step) }
        if let use, !random.serves(use) { return .setRandomAddress(use, random.draw(use)) }
        return nil
    }

    /// Whether there is anything to be done for this random address.
    ///
    /// Nothing changes; but the optimizer copies a value that a method borrows.
    mutating func hasWork(for use: RandomAddressUse?) -> Bool {
        if list.nextStep != nil { return true }
        return use.map { !random.serves($0) } ?? false
    }

    func command(_ step: Step) -> Command {
        switch step {
        case .setRandomAddress(_, let address): .leSetRandomAddress(LESetRandomAddress(address: address))
        case .list(let step): list.command(step)
        }
    }

    mutating func reset() {
        stage = .idle
        random.reset()
        list = ResolvingListSequencer()
    }
}
