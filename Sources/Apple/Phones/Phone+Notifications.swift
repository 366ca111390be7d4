public import BluethroatAppEnvironment
import BluethroatPhoneService
import BluethroatSimulation
import BluethroatVirtualTime

/// What keeps a notification from lighting the screen.
public struct NotificationObstacles: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    /// The phone is not to disturb its person.
    public static let doNotDisturb = Self(rawValue: 1)
    /// The phone lies on its face, or is in a pocket.
    public static let covered = Self(rawValue: 2)
    /// A watch shows the notifications instead.
    public static let watch = Self(rawValue: 4)

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension PhoneApp {
    /// The app has its phone show a notification, instead of those that it has shown before. If the screen is dark and
    /// nothing stands against it, it is lit for `Phone.notificationLight`.
    public func notify(_ notification: AppSurroundings.Notification) {
        guard state.executes, permissions.contains(.notifications) else { return }
        notifications.append(notification)
        phone.lightForNotification()
    }
}

extension Phone {
    func lightForNotification() {
        guard notificationObstacles.isEmpty, !isScreenOn || notificationLightEnd != nil else { return }
        let end = max(world.now, world.now.after(notificationLight))
        switchScreen(true)
        notificationLightEnd = end
        // The world runs it, and keeps the phone.
        world.schedule(at: end) { [unowned self] _ in
            // Another notification may have come meanwhile, or the phone's person.
            guard notificationLightEnd == end else { return }
            isScreenOn = false
        }
    }
}

extension AppSurroundings {
    /// What a phone in a world is to an app on it, which outlives this.
    public static func of(_ app: PhoneApp) -> Self {
        Self { [unowned app] in
            app.state == .background
        } permissions: { [unowned app] in
            app.permissions
        } notify: { [unowned app] notification in
            app.notify(notification)
        } rangeBeacons: { [unowned app] isOn in
            app.rangesBeacons = isOn
        }
    }
}
