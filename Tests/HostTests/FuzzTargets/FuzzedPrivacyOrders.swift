import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// What a controller forbids, watched over a random life: orders, bonds, refusals, connections, time.
private struct Watch {
    var isAdvertising = false
    var isScanning = false
    var isCreating = false
    var isResolving = false
    /// Whether a cancelled attempt has not been answered by an event yet.
    var owesCancellation = false
    var violations: [String] = []

    private var isBusy: Bool { isAdvertising || isScanning || isCreating }

    mutating func see(_ command: Command, refused: Bool) {
        switch command {
        case .known(is LESetRandomAddress): forbid(isBusy, command)
        case .known(is LEAddDeviceToResolvingList), .known(is LERemoveDeviceFromResolvingList),
            .known(is LESetPrivacyMode):
            forbid(isBusy && isResolving, command)
        case .known(let set as LESetAddressResolutionEnable):
            forbid(isBusy, command)
            if !refused { isResolving = set.isEnabled }
        case .known(is LESetAdvertisingParameters): forbid(isAdvertising, command)
        case .known(let set as LESetAdvertisingEnable):
            forbid(isAdvertising && set.isEnabled, command)
            if !set.isEnabled || !refused { isAdvertising = set.isEnabled }
        case .known(is LESetScanParameters): forbid(isScanning, command)
        case .known(let set as LESetScanEnable):
            forbid(isScanning && set.isEnabled, command)
            if !set.isEnabled || !refused { isScanning = set.isEnabled }
        case .known(is LECreateConnection):
            forbid(isCreating, command)
            if !refused { isCreating = true }
        case .leCreateConnectionCancel: owesCancellation = isCreating
        default: break
        }
    }

    private mutating func forbid(_ isForbidden: Bool, _ command: Command) {
        if isForbidden { violations.append("\(command.opcode)") }
    }
}

/// Orders, bonds, refusals, connections and time, while addresses rotate.
enum FuzzedPrivacyOrders {
    /// One life of a host; answers what went wrong.
    static func live(_ random: inout FuzzInput, resolves: Bool) throws -> [String] {
        var bench = PrivacyBench.up(
            resolves ? PrivacyBench.resolving(size: 3) : ScriptedController(),
            bonds: [PrivacyBench.bond(1), PrivacyBench.bond(2, mode: .device)]
        ) { $0.privacy.rotation = .seconds(30) }
        var watch = Watch()
        watch.isResolving = resolves
        var nextHandle: UInt16 = 0x40
        let refusable: [Opcode] = [
            .leSetRandomAddress, .leAddDeviceToResolvingList, .leSetPrivacyMode, .leSetAdvertisingParameters,
            .leSetScanEnable, .leSetAdvertisingEnable, .leCreateConnection, .leSetScanParameters,
        ]

        var depth = 0
        func look() {
            depth += 1
            defer { depth -= 1 }
            guard depth < 100 else { return watch.violations.append("no end") }
            let commands = bench.controller.commands
            bench.controller.forget()
            for command in commands {
                watch.see(command, refused: bench.controller.refusals[command.opcode] != nil)
            }
            if watch.owesCancellation {
                watch.owesCancellation = false
                watch.isCreating = false
                bench.creationCancelled()
                look()
            }
        }

        let owns: [OwnAddress] = [.public, .staticRandom, .resolvablePrivate, .nonResolvablePrivate]
        for _ in 0..<60 where !random.isEmpty {
            bench.controller.refusals = [:]
            if random.next(below: 6) == 0 {
                let opcode = refusable[Int(random.next(below: UInt64(refusable.count)))]
                bench.controller.refusals[opcode] = .commandDisallowed
            }
            let own = owns[Int(random.next(below: 4))]
            let number = 1 + random.next(below: 5)
            switch random.next(below: 12) {
            case 0: try? bench.advertise(.showing(own))
            case 1: try? bench.advertise(.showing(own, .directedLowDuty(to: PrivacyBench.peer(number))))
            case 2: try? bench.scan(.showing(own, filtersDuplicates: number == 1))
            case 3:
                var parameters = ConnectParameters(timeout: number == 1 ? .seconds(20) : nil)
                parameters.ownAddress = own
                try? bench.connect(to: PrivacyBench.peer(number), parameters)
            case 4: try? bench.order { host, now, actions in try host.stopAdvertising(at: now, into: &actions) }
            case 5: try? bench.order { host, now, actions in try host.stopScanning(at: now, into: &actions) }
            case 6: try? bench.order { host, now, actions in try host.cancelConnect(at: now, into: &actions) }
            case 7:
                try? bench.order { host, now, actions in
                    try host.keep(
                        PrivacyBench.bond(number, mode: own == .public ? .device : .network),
                        at: now,
                        into: &actions
                    )
                }
            case 8:
                try? bench.order { host, now, actions in
                    try host.removeBond(PrivacyBench.peer(number), at: now, into: &actions)
                }
            case 9:
                // In steps, so that a cancelled attempt is answered in time.
                for _ in 0..<(number * 7) {
                    bench.run(for: .seconds(1))
                    look()
                }
            case 10: if watch.isScanning { bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: number))) }
            default:
                guard watch.isAdvertising || watch.isCreating else { break }
                let role: ConnectionRole = watch.isCreating ? .central : .peripheral
                if role == .central { watch.isCreating = false } else { watch.isAdvertising = false }
                bench.connectionComplete(handle: nextHandle, role: role, peer: PrivacyBench.privateAddress(of: number))
                nextHandle += 1
            }
            look()
            let host = bench.host
            let uses = [
                host.core.gap.advertiser.advertisement?.choice.random,
                host.core.gap.scanner.applicationScan?.choice.random,
                host.core.gap.initiator.attempt?.choice.random,
            ].compactMap { $0 }
            if host.core.gap.privacy.stage == .idle, uses.contains(where: { $0 != host.core.gap.privacy.random.use }) {
                watch.violations.append("an address is shown that was to be hidden")
            }
        }
        // In the end all can be stopped, nothing is held for ever, and all can begin anew.
        bench.controller.refusals = [:]
        try? bench.order { host, now, actions in try host.stopAdvertising(at: now, into: &actions) }
        look()
        try? bench.order { host, now, actions in try host.stopScanning(at: now, into: &actions) }
        look()
        try? bench.order { host, now, actions in try host.cancelConnect(at: now, into: &actions) }
        look()
        bench.run(for: .seconds(3))
        look()
        if !bench.host.core.gap.isIdle { watch.violations.append("something is under way still") }
        if bench.host.core.gap.privacy.stage != .idle { watch.violations.append("something is held still") }
        if bench.host.core.controller.phase != .up { watch.violations.append("the host is down") }
        _ = bench.takeEvents()
        try bench.advertise(.showing(.resolvablePrivate))
        try bench.scan(.showing(.resolvablePrivate))
        look()
        let names = bench.takeEvents().names
        if names != ["advertisingStarted", "scanningStarted"] {
            watch.violations.append("not all begins anew")
        }
        return watch.violations
    }
}
