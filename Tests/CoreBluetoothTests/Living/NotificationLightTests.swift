import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("The light of a notification")
struct NotificationLightTests {
    @Test("One that is to be longer than there is time stays on, and one that is shorter than nothing goes off at once")
    func lengths() {
        for (length, isLit) in [(TimeSpan.nanoseconds(.max), true), (.seconds(-5), false)] {
            let world = World(seed: 1)
            let phone = Phone(named: "phone", in: world)
            let app = phone.addApp()
            world.run(for: .seconds(1))
            phone.lock()
            phone.notificationLight = length
            app.notify(AppSurroundings.Notification(title: "title"))
            world.run(for: .seconds(100))
            #expect(phone.isScreenOn == isLit)
        }
    }
}
