public import AppTime
import PhoneService
public import Simulation
import VirtualTime

extension AppClock {
    /// The time of a world: an app in it is called on the thread that runs the world. The world outlives the clock.
    public static func of(_ world: World) -> Self {
        Self { [unowned world] in
            Double(world.now.nanoseconds) / 1e9
        } calling: { [unowned world] seconds, action in
            world.schedule(at: world.now + .nanoseconds(Int64((seconds * 1e9).rounded()))) { _ in action() }
        }
    }
}

extension AppClock {
    /// The same for one run of an app on a phone: it stands still while the app is suspended, and nothing is called any
    /// more when this run has ended. Make it where the app is launched.
    public static func of(_ world: World, for app: PhoneApp) -> Self {
        let launch = app.launches.count
        let clock = of(world)
        func call(_ action: @escaping () -> Void) {
            guard app.launches.count == launch, app.state.isRunning else { return }
            if app.state.executes { return action() }
            _ = clock.once(after: wakeCheck) { call(action) }
        }
        return Self {
            clock.now
        } calling: { seconds, action in
            _ = clock.once(after: seconds) { call(action) }
        }
    }

    /// So often it is looked whether an app still sleeps, in seconds.
    private static let wakeCheck = 0.1
}
