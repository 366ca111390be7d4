import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatControlPanel
import BluethroatHost
import BluethroatLive
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation

// What the phones of a demonstration and their apps do and believe, for the panel.

extension OverflowView {
    init(_ owner: OverflowWorld) {
        mode = owner.plan.mode
        system = owner.plan.version
        // Phones that were taken away are seen no more.
        let participants = owner.participants.filter { owner.workbench[$0.phone.device] != nil }
        // Who an address is.
        var devices: [DeviceAddress: DeviceID] = [:]
        for participant in participants {
            let id = participant.phone.device
            owner.world.perform(on: id) { host, _, _ in if let own = host.identity { devices[own.address] = id } }
        }
        phones = participants.map { participant in
            OverflowPhoneView(participant, owner.plan, in: owner.workbench) { address in address.flatMap { devices[$0] }
            }
        }
    }
}

extension OverflowPhoneView {
    fileprivate init(
        _ participant: OverflowParticipant,
        _ plan: OverflowPlan,
        in workbench: Workbench,
        whose: (DeviceAddress?) -> DeviceID?
    ) {
        let service = participant.phone.service
        let state = participant.state
        device = Int(participant.phone.device.rawValue)
        name = workbench[participant.phone.device]?.name ?? participant.phone.name
        app = Int(participant.app.id.number)
        appState = PhoneLook.App.Phase(participant.app.state)
        isScreenOn = participant.phone.isScreenOn
        onAir = service.overflowMaskOnAir?.hex
        wanted = state.sent.map { $0.bytes(.air).hex }
        payload = participant.payload.isEmpty ? nil : participant.payload.hex
        (starts, frameLength) = plan.layout(participant.payload)
        // A code word does not move.
        position = state.position ?? (starts.count == 1 && state.sent != nil ? 0 : nil)
        isScanning = state.isScanning
        notifications = state.notificationCount
        pollution = participant.pollution.map(\.index)
        obstacle = participant.app.overflowObstacle?.word
        neighbours = state.neighbours.map { neighbour in
            let other = whose(participant.phone.address(of: neighbour.id))
            return BeliefView(neighbour, other, other.flatMap { workbench[$0]?.name })
        }
        hidden = service.hiddenReports.filter { $0.app == participant.app.id }.map { report in
            let other = whose(report.peer)
            return HiddenView(
                device: other.map { Int($0.rawValue) },
                name: other.flatMap { workbench[$0]?.name } ?? "\(report.peer)",
                rule: report.rule.word,
                count: report.count,
                time: report.time.sinceStart.seconds
            )
        }
    }
}

extension OverflowPlan {
    /// The bytes at which frames begin, and how many they have; none where every service is sent in turn.
    fileprivate func layout(_ payload: [UInt8]) -> (starts: [Int], length: Int) {
        switch mode {
        case .demo: (positions.starts, 1 + payload.count)
        // 47 bits.
        case .hamming: ([codeStart / 8], 6)
        case .bch, .conversation: ([0], 16)
        case .sequential: ([], 0)
        }
    }
}

extension BeliefView {
    fileprivate init(_ neighbour: OverflowNeighbour, _ other: DeviceID?, _ known: String?) {
        id = neighbour.id.uuidString
        device = other.map { Int($0.rawValue) }
        name = known ?? "Somebody"
        mask = neighbour.mask.bytes(.air).hex
        statuses = neighbour.statuses
        verdict =
            switch neighbour.verdict {
            case .believed: .believed
            case .notFound: .notFound
            case .unverified: .unverified
            case .polluted: .polluted
            }
        position = neighbour.position
        payload = neighbour.payload?.hex
        confidence = neighbour.confidence
        since = neighbour.firstBelieved
        sightings = neighbour.sightings
        readings = neighbour.readings
        rssi = neighbour.rssi
    }
}

extension TimeSpan {
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
