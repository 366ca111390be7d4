import BluethroatAppEnvironment
import BluethroatOverflowArea
import BluethroatPhones
import BluethroatTesting
import Testing

@Suite("Notifications that light the screen", .air)
struct ScanCycleTests {
    private let air = Air.current

    /// A phone in a pocket-dark state whose app scans, and how often there was a notification in ten minutes.
    private func notifications(_ cycle: ScanCycle, isLit: Bool) -> (count: Int, readings: Int) {
        let phones = (0..<2).map { OverflowPhone.demo("phone \($0) \(cycle) \(isLit)", in: air, cycle: cycle) }
        air.run(for: .seconds(1))
        for phone in phones {
            phone.app.enterBackground()
            phone.phone.isScreenOn = isLit
        }
        air.run(for: .seconds(600))
        for phone in phones { phone.it.stop() }
        #expect(phones[0].app.notifications.count == phones[0].it.state.notificationCount)
        return (phones[0].app.notifications.count, phones[0].readings.count)
    }

    @Test("Every 60 s as it was documented, every 31 s as it was done, or every 30 s as the successor does")
    func cycles() {
        #expect(notifications(.documented, isLit: true).count == 10)
        #expect(notifications(.quick, isLit: true).count == 19)
        #expect(notifications(.halfMinute, isLit: true).count == 20)
        #expect(notifications(.quick.withoutNotifications, isLit: true).count == 0)
    }

    @Test("Dark screens are lit by them, so that payloads are read")
    func lit() {
        let quick = notifications(.quick, isLit: false)
        #expect(quick.count == 19 && quick.readings > 0)
        #expect(notifications(.documented, isLit: false).readings > 0)
    }

    @Test(
        "Only if nothing was heard: fewer with a dark screen, almost none with a lit one, and payloads are read all the same"
    )
    func sparing() {
        let dark = notifications(.sparing, isLit: false)
        #expect((8..<16).contains(dark.count) && dark.readings > 0)
        #expect(notifications(.sparing, isLit: true).count <= 4)
    }

    @Test("A notification lights the screen for ten seconds, unless something stands against it")
    func light() {
        let phone = OverflowPhone("phone", in: air) { _, _ in Empty() }
        phone.app.enterBackground()
        phone.app.rangesBeacons = true
        let surroundings = AppSurroundings.of(phone.app)
        let notification = AppSurroundings.Notification(title: "Advertiser active", category: "low-priority")
        #expect(surroundings.isInBackground && notification.body.isEmpty && !notification.hasSound)
        phone.phone.isScreenOn = false
        surroundings.notify(notification)
        #expect(phone.phone.isScreenOn)
        air.run(for: .milliseconds(9_900))
        #expect(phone.phone.isScreenOn)
        air.run(for: .milliseconds(200))
        #expect(!phone.phone.isScreenOn)
        for obstacle in [NotificationObstacles.doNotDisturb, .covered, .watch] {
            phone.phone.notificationObstacles = obstacle
            surroundings.notify(notification)
            #expect(!phone.phone.isScreenOn)
        }
        phone.phone.notificationObstacles = []
        phone.app.permissions = [.location, .locationAlways]
        surroundings.notify(notification)
        #expect(!phone.phone.isScreenOn, "a person who allows none sees none")
        #expect(phone.app.notifications.count == 4)
    }

    @Test("Another notification lengthens the light; a person who lights or darkens the screen decides")
    func person() {
        let phone = OverflowPhone("phone", in: air) { _, _ in Empty() }
        let surroundings = AppSurroundings.of(phone.app)
        let notification = AppSurroundings.Notification(title: "t")
        phone.phone.isScreenOn = false
        surroundings.notify(notification)
        air.run(for: .seconds(6))
        surroundings.notify(notification)
        air.run(for: .seconds(6))
        #expect(phone.phone.isScreenOn)
        phone.phone.unlock()
        air.run(for: .seconds(60))
        #expect(phone.phone.isScreenOn)
        surroundings.notify(notification)
        air.run(for: .seconds(60))
        #expect(phone.phone.isScreenOn, "it was lit before")
        phone.phone.isScreenOn = false
        surroundings.notify(notification)
        air.run(for: .seconds(1))
        phone.phone.lock()
        #expect(!phone.phone.isScreenOn)
    }

    private final class Empty {}
}
