import CoreBluetooth
import Foundation
import PhoneService
import Simulation
import VirtualTime

/// The world's time, as apps have it.
extension Phone {
    /// The time of an app on this phone, in virtual time.
    func time(of sender: OrderTray.Sender) -> PhoneTime {
        let present = Present(world, start: service.settings.startOfTime)
        return PhoneTime {
            present.now
        } calling: { [tray] seconds, action in
            tray.call(after: TimeSpan(seconds: seconds), of: sender, action)
        }
    }

    /// Calls an app after a while. Its time passes while it is suspended, too.
    func schedule(_ action: @escaping @Sendable () -> Void, after span: TimeSpan, for sender: OrderTray.Sender) {
        world.schedule(at: world.now + span) { [weak self] _ in self?.call(action, for: sender) }
    }

    private func call(_ action: @escaping @Sendable () -> Void, for sender: OrderTray.Sender) {
        let app = apps[Int(sender.app.number)]
        guard app.launches.count == sender.launch, app.state.isRunning else { return }
        guard app.state != .suspended else { return hold(OrderTray.Request(sender: sender, work: .due(action))) }
        observer?(.called)
        action()
    }
}

extension TimeSpan {
    /// What an app says in seconds, with an end to eternity.
    fileprivate init(seconds: TimeInterval) {
        self = .nanoseconds(Int64(min(max(0, seconds) * 1e9, 1e18).rounded()))
    }
}

/// What time it is in a world, asked by its apps, who are called on the thread that runs it.
private final class Present: @unchecked Sendable {
    private weak var world: World?
    private let start: TimeInterval

    init(_ world: World, start: TimeInterval) {
        self.world = world
        self.start = start
    }

    var now: Date {
        let nanoseconds = world?.now.nanoseconds ?? 0
        return Date(timeIntervalSinceReferenceDate: start + Double(nanoseconds) / 1e9)
    }
}
