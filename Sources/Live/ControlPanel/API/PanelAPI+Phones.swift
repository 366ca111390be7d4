import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatWorkbench

/// Phones, and what their persons do with them.
extension PanelAPI {
    var phoneEndpoints: [Endpoint] {
        [
            .asking("/api/phones/{device}", tag: "Phones", "A phone: its Bluetooth, its screen, its apps.") {
                [self] call throws(PanelError) in
                let id = try entry(call)
                return try await perform { owner throws(PanelError) in
                    guard let view = owner.workbench.phoneView(id) else { throw Self.noPhone(id, owner.workbench) }
                    return view
                }
            },
            phoneOrder("power", "Switches Bluetooth in the phone's settings.") { (phone, _, body: OnOff) in
                phone.setPower(body.isOn)
            },
            phoneOrder("screen", "Lights the screen, or darkens it: then apps on it go to the background.") {
                (phone, _, body: OnOff) in phone.setScreen(body.isOn)
            },
            phoneOrder("apps/{app}", "Brings an app to the screen, or away from it, or ends it.") {
                (phone, call, body: AppPlacement) throws(PanelError) in
                let number = try call.number("app", "app")
                guard let phase = PhoneLook.App.Phase(rawValue: body.state), phase != .notRunning else {
                    throw .badRequest(
                        "\"state\" has to be foreground, background, suspended, terminated or force-quit"
                    )
                }
                guard phone.bring(app: number, to: phase) else {
                    throw PanelError(.notFound, "no-such-app", "the phone has no app \(number)")
                }
            },
        ]
    }

    private func phoneOrder<Body: Described>(
        _ name: String,
        _ summary: String,
        _ body: @escaping @Sendable (any WorkbenchPhone, Call, Body) throws(PanelError) -> Void
    ) -> Endpoint {
        .ordering(.put, "/api/phones/{device}/\(name)", tag: "Phones", summary) {
            [self] (call, value: Body) throws(PanelError) in
            let id = try entry(call)
            return try await perform { owner throws(PanelError) in
                guard let phone = owner.workbench.phone(id) else { throw Self.noPhone(id, owner.workbench) }
                try body(phone, call, value)
                owner.workbench.world.runExternalWork()
                guard let view = owner.workbench.phoneView(id) else { throw Self.noDevice(id) }
                return view
            }
        }
    }

    private static func noPhone(_ id: DeviceID, _ workbench: Workbench) -> PanelError {
        guard let entry = workbench[id] else { return noDevice(id) }
        return PanelError(.conflict, "no-phone", "device \(id.rawValue), \(entry.name), is no phone with apps")
    }
}

extension Workbench {
    func phoneView(_ id: DeviceID) -> PhoneView? {
        guard let entry = self[id], let look = phone(id)?.look(in: world) else { return nil }
        let place = world.position(of: id) ?? .origin
        return PhoneView(
            device: Int(id.rawValue),
            name: entry.name,
            address: look.address.map { "\($0)" },
            x: Double(place.x) / 1000,
            y: Double(place.y) / 1000,
            isPowered: look.isPowered,
            isScreenOn: look.isScreenOn,
            apps: look.apps.map { PhoneView.App(app: $0.number, name: $0.name, state: $0.phase) },
            links: look.links.map { link in
                PhoneView.Link(
                    peer: "\(link.peer)",
                    isCentral: link.isCentral,
                    interval: link.intervalMilliseconds,
                    isEncrypted: link.isEncrypted
                )
            }
        )
    }
}
