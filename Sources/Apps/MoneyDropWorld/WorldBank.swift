import BluethroatMoneyBank
import BluethroatMoneyTerms
import BluethroatSimulation
import Foundation

/// The way to a bank in the same process whose time is that of the world.
final class WorldBank: BankConnection {
    private let bank: LocalBank
    private let source: BankSource
    private unowned let world: World

    init(_ bank: LocalBank, _ source: BankSource, in world: World) {
        self.bank = bank
        self.source = source
        self.world = world
    }

    func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        source.follow(world.now)
        bank.pass(request, then: then)
    }
}
