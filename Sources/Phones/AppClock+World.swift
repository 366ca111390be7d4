public import AppTime
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
