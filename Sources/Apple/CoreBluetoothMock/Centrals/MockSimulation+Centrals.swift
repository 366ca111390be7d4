import BluethroatHost
import BluethroatPhones
import BluethroatSimulation

/// The simulated centrals around the phone.
extension MockSimulation {
    /// These are simulated, and no others. One that is already stays as it is.
    func simulate(_ specs: [CBMCentralSpec]) {
        var kept: [SimulatedCentral] = []
        for central in centrals {
            if specs.contains(where: { $0 === central.spec }) { kept.append(central) } else { central.leave() }
        }
        for spec in specs where !kept.contains(where: { $0.spec === spec }) {
            if let new = put(spec) { kept.append(new) }
        }
        setCentrals(kept)
    }

    func central(of spec: CBMCentralSpec) -> SimulatedCentral? { centrals.first { $0.spec === spec } }

    private func put(_ spec: CBMCentralSpec) -> SimulatedCentral? {
        guard let other = home.addPhone(named: spec.name) else { return nil }
        let subject = home.enter { [self] phone in
            let identity = phone.world.perform(on: phone.device) { host, _, _ in host.identity?.address } ?? nil
            let address = identity ?? phone.world.defaultAddress(of: phone.device.rawValue)
            let subject = other.phone.remember(address, for: other.app)
            phone.world.setSensitivity(Self.sensitivity, of: phone.device)
            phone.world.setSensitivity(Self.sensitivity, of: other.phone.device)
            let place = place(for: spec.proximity, of: other.phone.device, from: phone)
            phone.world.move(other.phone.device, to: place)
            return subject
        }
        guard let subject else { return nil }
        let (home, device) = (home, other.phone.device)
        return SimulatedCentral(spec, subject: subject, environment: other.environment) {
            _ = home.enter { $0.world.remove(device) }
        }
    }
}
