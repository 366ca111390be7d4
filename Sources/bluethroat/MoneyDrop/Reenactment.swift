#if canImport(Phones)
    import AppTime
    import ArgumentParser
    import CoreBluetooth
    import Foundation
    import KeyFobConsole
    import LiveLoop
    import MoneyDrop
    import Phones
    import PhoneService
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime

    /// What went wrong with the first MoneyDrop, as its makers have told.
    enum Pitfall: String, ExpressibleByArgument, CaseIterable {
        case writeType = "write-type"
        case photo
        case background
    }

    /// Shows a pitfall with two phones that behave as those did, in virtual time.
    enum Reenactment {
        static func play(_ pitfall: Pitfall, capture: String?, seed: UInt64, isJSON: Bool) throws(CommandFailure) {
            var captures: Captures?
            if let capture {
                do throws(CaptureError) {
                    captures = try Captures(air: capture, log: nil, epoch: Captures.epochNow) { _ in }
                } catch {
                    throw CommandFailure("\(error)")
                }
            }
            let scene = LiveScene(seed: seed, isVirtual: true, captures: captures, drawsSecrets: false)
            let world = scene.stage.world
            let story = PitfallStory { line in
                let seconds = String(format: "%.3f", Double(world.now.nanoseconds) / 1e9)
                guard isJSON else { return StandardOutput.write("\(seconds) s  \(line)") }
                var object = JSONLine(event: "reenacted", time: world.now)
                object.add("pitfall", pitfall.rawValue)
                object.add("text", line)
                StandardOutput.write(object.text)
            }
            let recipientPhone = scene.addPhone(named: "recipient", at: .metres(x: 1))
            let senderPhone = scene.addPhone(named: "sender", at: .metres(x: 3))
            func install(_ phone: Phone, _ make: @escaping (AppClock) -> AnyObject) -> PhoneApp {
                var app: PhoneApp?
                let installed = phone.install(
                    named: "MoneyDrop",
                    backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]
                ) { _ in app.map { make(AppClock.of(world, for: $0)) } }
                app = installed
                installed.launch()
                return installed
            }
            let recipient = install(recipientPhone) { FirstRecipient(pitfall, $0, story) }
            func run(_ seconds: Int64) {
                world.runExternalWork()
                scene.advance(by: .seconds(seconds))
            }
            switch pitfall {
            case .writeType, .photo:
                let sender = install(senderPhone) { FirstSender(pitfall, $0, story) }
                run(60)
                withExtendedLifetime((recipient, sender)) {}
            case .background:
                run(1)
                recipient.enterBackground()
                story.tell("the recipient's app is in the background: its service is a bit in the overflow area now")
                // Out of earshot until both are there.
                scene.stage.move(senderPhone.device, to: .metres(x: 100_000))
                let sender = install(senderPhone) { FirstSender(pitfall, $0, story) }
                run(1)
                sender.enterBackground()
                story.tell("the sender's app is in the background, and scans for the service")
                run(10)
                scene.stage.move(senderPhone.device, to: .metres(x: 3))
                run(60)
                story.tell("a minute beside each other, and neither has heard of the other")
                sender.enterForeground()
                story.tell("the sender's app comes to the screen")
                run(10)
            }
            scene.finish()
        }
    }

    /// What happens, line by line.
    final class PitfallStory {
        let tell: (String) -> Void

        init(_ tell: @escaping (String) -> Void) { self.tell = tell }
    }
#endif
