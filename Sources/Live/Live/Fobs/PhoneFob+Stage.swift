import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobPhone
import BluethroatPhones
import BluethroatSimulation
import BluethroatWorkbench

extension PhoneFob: WorkbenchFob {
    var transmitPower: Int8 { app?.screen.transmitPower ?? 0 }

    func look(in world: World) -> FobLook {
        var look = FobLook(kind: .phone)
        look.address = address
        guard let app, let phone else { return look }
        look.isPowered = isBluetoothOn
        let screen = app.screen
        look.label = screen.status.text
        look.labelColour =
            switch screen.status.colour {
            case .green: .green
            case .red: .red
            case .black: .black
            }
        look.keys = KeyFobKeys(rawValue: screen.buttons.rawValue)
        look.leftLED = screen.leftLED
        look.rightLED = screen.rightLED
        look.alertLED = screen.alertLED
        look.tones = (screen.tones.contains(.low) ? [250] : []) + (screen.tones.contains(.high) ? [4096] : [])
        look.alert = screen.tones.contains(.high) ? .high : screen.tones.contains(.low) ? .mild : .none
        look.battery = Int(screen.batteryLevel)
        look.reportedBattery = look.battery
        look.transmitPower = screen.transmitPower
        look.isAdvertising = screen.advertiseSwitch.isOn
        look.canAdvertise = screen.advertiseSwitch.isEnabled
        look.isSensing = app.isAccelerometerActive
        look.tilt = tilt
        let counts = tilt.map { Int8(max(-127, min(127, ($0 * 127).rounded(.towardZero)))) }
        look.sent = Acceleration(x: counts[0], y: counts[1], z: counts[2])
        look.connections = world.clients(of: phone.device)
        return look
    }

    func setPower(_ isOn: Bool, in world: World) {
        _ = obey(.bluetooth(isOn), in: world)
    }

    func advertise(_ isOn: Bool, in world: World) -> Bool {
        guard let app else { return false }
        if app.screen.advertiseSwitch.isOn == isOn { return true }
        return obey(.toggleAdvertising, in: world) == nil
    }
}
