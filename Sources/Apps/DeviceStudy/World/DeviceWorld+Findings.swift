import BluethroatBluetoothValues
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime

/// What is known in the end.
extension DeviceWorld {
    /// What was measured in this world, or in this part of it.
    ///
    /// - Parameter lost: receptions that other frames spoilt or kept from beginning, since it is measured.
    func findings(lost: Int) -> WorldFindings {
        var found = WorldFindings()
        for pairs in ledger.pairs {
            for pair in pairs { found.add(pair) }
        }
        for central in centrals { found.add(central, until: world.now) }
        found.tasks = tasks.map(\.length)
        found.currents = plan.groups.map { _ in WorldFindings.Currents() }
        let length = (world.now - start).inSeconds
        if plan.measures.contains(.energy), length > 0 {
            for member in members where member.isOwn {
                guard let group = plan.groups.firstIndex(of: member.group) else { continue }
                add(ledger.radioTimes[Int(member.id.rawValue)], during: length, to: &found.currents[group])
            }
        }
        (found.framesOnAir, found.framesMet) = (ledger.frames, ledger.framesMet)
        (found.received, found.lost) = (ledger.receptions - ledger.damaged, lost)
        (found.counts.transmissions, found.digest) = (world.transmissionCount, world.digest.value)
        return found
    }

    /// A device's average currents, from how long its radio did what.
    private func add(_ times: RadioTimes, during length: Double, to currents: inout WorldFindings.Currents) {
        let table = plan.currents
        let sending = times.sendingByPower.keys.sorted().map { power in
            (times.sendingByPower[power] ?? .zero).inSeconds * table.current(sendingWith: SignalStrength(dBm: power))
        }
        let received = min(times.received(until: world.now), length)
        let asleep = max(0, length - received - times.sending.inSeconds)
        currents.sending.append(sending.reduce(0, +) / length)
        currents.receiving.append(received * table.receive / length)
        currents.sleeping.append(asleep * table.sleep / length)
    }
}
