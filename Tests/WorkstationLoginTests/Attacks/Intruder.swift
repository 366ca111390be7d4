import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatSimulation
import Foundation

@testable import BluethroatWorkstationLogin

/// A central that says to a desk what it likes.
final class Intruder {
    private(set) var heard: [LoginMessage] = []
    /// Nil until the desk listens.
    private(set) var pipe: FramedPipe?
    var failure: (any Error)? { caller.failure }
    /// Whether it takes what the desk says.
    var listens = true
    private let caller: DeskCaller

    init(on phone: Phone, in world: World) {
        let caller = DeskCaller(on: phone)
        self.caller = caller
        let clock = AppClock.of(world)
        caller.ready = { [unowned self, unowned caller] in
            if let pipe { return pipe.isReady() }
            guard caller.isThrough else { return }
            let outlet = FramedPipe.Outlet(capacity: { [unowned caller] in caller.capacity }) { [unowned caller] in
                caller.send($0)
            }
            pipe = FramedPipe(outlet, maximumLength: 10_000, clock: clock, random: .seeded(99))
            pipe?.received = { [unowned self] in if let message = LoginMessage($0) { heard.append(message) } }
        }
        caller.heard = { [unowned self] in if listens { pipe?.receive($0) } }
    }

    func say(_ message: LoginMessage) { pipe?.send(message.bytes) }

    /// A packet as it is, of whatever protocol.
    func say(packet: Data) { caller.throwIn(packet) }
}
