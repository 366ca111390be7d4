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
        found.pairs = zip(ledger.listeners, ledger.pairs).flatMap { listener, pairs in
            zip(ledger.advertisers, pairs).compactMap { advertiser, pair in
                WorldFindings.Pair(pair, listener: listener, advertiser: advertiser)
            }
        }
        found.centrals = centrals.map { WorldFindings.Central($0.app, $0.device) }
        found.tasks = tasks.map(\.length)
        if plan.measures.contains(.energy) {
            found.currents = members.filter { isOwn($0.id) }.compactMap { member in
                current(of: member, ledger.radioTimes[Int(member.id.rawValue)])
            }
        }
        (found.frames, found.framesMet) = (ledger.frames, ledger.framesMet)
        (found.received, found.lost) = (ledger.receptions - ledger.damaged, lost)
        (found.transmissions, found.digest) = (world.transmissionCount, world.digest.value)
        return found
    }

    private func current(of member: Member, _ times: RadioTimes) -> WorldFindings.Current? {
        let table = plan.currents, length = (world.now - start).inSeconds
        guard length > 0 else { return nil }
        let sending = times.sendingByPower.keys.sorted().map { power in
            (times.sendingByPower[power] ?? .zero).inSeconds * table.current(sendingWith: SignalStrength(dBm: power))
        }
        let received = min(times.received(until: world.now), length)
        let asleep = max(0, length - received - times.sending.inSeconds)
        return WorldFindings.Current(
            device: member.id.rawValue,
            group: member.group.name,
            sending: sending.reduce(0, +) / length,
            receiving: received * table.receive / length,
            sleeping: asleep * table.sleep / length
        )
    }

    /// Whether a device is in this world, or in this part of it.
    private func isOwn(_ id: DeviceID) -> Bool { world.position(of: id) != nil }
}
