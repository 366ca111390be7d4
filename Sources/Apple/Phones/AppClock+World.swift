public import BluethroatAppEnvironment
import BluethroatPhoneService
public import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation

extension AppClock {
    /// The time of a world: what is called, is called on the thread that runs the world. Use it there only,
    /// also when the world has ended: then it stands at 0 and calls nothing.
    public static func of(_ world: World) -> Self {
        let present = WorldTime(world)
        return Self {
            present.seconds
        } calling: { seconds, action in
            present.schedule(after: TimeSpan(seconds: seconds), action)
        }
    }

    /// The time of one run of an app on a phone: it calls nothing while the app is suspended, but when the app runs
    /// again, and nothing any more when this run has ended. Make it where the app is launched.
    public static func of(_ world: World, for app: PhoneApp) -> Self { app.environment.clock }
}

extension Phone {
    /// The time of an app on this phone, in virtual time.
    func clock(of sender: AppCommandQueue.Sender) -> AppClock {
        let present = WorldTime(world)
        let start = service.settings.startOfTime
        return AppClock {
            present.seconds
        } dating: {
            Date(timeIntervalSinceReferenceDate: start + present.seconds)
        } calling: { [commands] seconds, action in
            commands.call(after: TimeSpan(seconds: seconds), of: sender, action)
        }
    }

    /// Calls an app after a while. Its time passes while it is suspended, too.
    func schedule(_ action: @escaping @Sendable () -> Void, after span: TimeSpan, for sender: AppCommandQueue.Sender) {
        // The world runs it, and keeps the phone.
        world.schedule(at: world.now.after(span)) { [unowned self] _ in call(action, for: sender) }
    }

    private func call(_ action: @escaping @Sendable () -> Void, for sender: AppCommandQueue.Sender) {
        let app = apps[Int(sender.app.number)]
        guard app.launches.count == sender.launch, app.state.isRunning else { return }
        guard app.state != .suspended else { return hold(AppCommandQueue.Request(sender: sender, work: .due(action))) }
        observer?(.called)
        action()
    }
}

extension TimeSpan {
    /// What an app says in seconds, with an end to eternity.
    fileprivate init(seconds: Double) {
        self = .nanoseconds(Int64(min(max(0, seconds) * 1e9, 1e18).rounded()))
    }
}

/// What time it is in a world. Apps ask for it, and are called, on the thread that runs the world.
private struct WorldTime: @unchecked Sendable {
    private let reference: WorldReference

    init(_ world: World) { reference = world.reference }

    var seconds: Double { Double(reference.world?.now.nanoseconds ?? 0) / 1e9 }

    func schedule(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) {
        guard let world = reference.world else { return }
        world.schedule(at: world.now.after(span)) { _ in action() }
    }
}
