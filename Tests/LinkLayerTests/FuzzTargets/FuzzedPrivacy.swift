import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// Privacy commands in any order, with advertising, scanning and initiating between them, held against a model that is
/// nothing but a list of entries and resolves everything anew.
enum FuzzedPrivacy {
    private struct Model {
        struct Entry: Equatable {
            var identity: DeviceAddress
            var peerKey: Block128
            var ownKey: Block128
            var mode = LESetPrivacyMode.Mode.network
        }

        var entries: [Entry] = []
        var isEnabled = false
        var isAdvertising = false
        var isScanning = false
        var isInitiating = false
        var isBusy: Bool { isAdvertising || isScanning || isInitiating }

        mutating func change(_ work: (inout [Entry]) -> ControllerError) -> ControllerError {
            isEnabled && isBusy ? .commandDisallowed : work(&entries)
        }

        /// As whom a scanner reports an address; nil if it does not.
        func peer(_ address: DeviceAddress) -> PeerAddress? {
            for entry in entries
            where isEnabled && entry.peerKey != .zero && AddressHash.resolves(address, key: entry.peerKey) {
                return PeerAddress(identity: entry.identity)
            }
            if let entry = entries.first(where: { $0.identity == address }), entry.mode == .network,
                entry.peerKey != .zero
            {
                return nil
            }
            return PeerAddress(address)
        }
    }

    private static let capacity = 3
    private static let identities = [
        Someone.peer, Someone.other, Someone.stranger, DeviceAddress(value: 1, kind: .public),
    ]
    private static let keys = [Block128.zero, Someone.peerKey, Someone.otherKey, Someone.strangeKey]

    /// A life of 150 orders: the answers and the reports are those of the model.
    static func play(_ random: inout FuzzInput, seed: UInt64 = 1) throws {
        var configuration = ControllerConfiguration(publicAddress: Bench.address)
        configuration.resolvingListSize = UInt8(Self.capacity)
        let bench = try Bench(configuration: configuration, seed: seed)
        var model = Model()
        var steps = 0
        while steps < 150, !random.isEmpty {
            steps += 1
            let identity = Self.identities[Int(random.next(below: 4))]
            let peer = PeerAddress(identity)
            let command: Command
            let expected: ControllerError
            switch random.next(below: 14) {
            case 0...3:
                let peerKey = Self.keys[Int(random.next(below: 4))]
                let ownKey = random.next(below: 3) == 0 ? Block128.zero : Someone.ownKey
                command = .know(identity, peerKey: peerKey, ownKey: ownKey)
                expected = model.change { entries in
                    if let index = entries.firstIndex(where: { $0.identity == identity }) {
                        let isSame = entries[index].peerKey == peerKey && entries[index].ownKey == ownKey
                        return isSame ? .success : .invalidCommandParameters
                    }
                    if peerKey != .zero, entries.contains(where: { $0.peerKey == peerKey }) {
                        return .invalidCommandParameters
                    }
                    guard entries.count < Self.capacity else { return .memoryCapacityExceeded }
                    entries.append(Model.Entry(identity: identity, peerKey: peerKey, ownKey: ownKey))
                    return .success
                }
            case 4:
                command = .leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList(identity: peer))
                expected = model.change { entries in
                    guard let index = entries.firstIndex(where: { $0.identity == identity }) else {
                        return .unknownConnectionIdentifier
                    }
                    entries.remove(at: index)
                    return .success
                }
            case 5:
                let mode: LESetPrivacyMode.Mode = random.next(below: 2) == 0 ? .network : .device
                command = .leSetPrivacyMode(LESetPrivacyMode(identity: peer, mode: mode))
                expected = model.change { entries in
                    guard let index = entries.firstIndex(where: { $0.identity == identity }) else {
                        return .unknownConnectionIdentifier
                    }
                    entries[index].mode = mode
                    return .success
                }
            case 6 where random.next(below: 4) == 0:
                command = .leClearResolvingList
                expected = model.change { entries in
                    entries = []
                    return .success
                }
            case 6...8:
                let isEnabled = random.next(below: 4) != 0
                command = .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: isEnabled))
                expected = model.isBusy ? .commandDisallowed : .success
                if !model.isBusy { model.isEnabled = isEnabled }
            case 9:
                model.isAdvertising.toggle()
                if model.isAdvertising {
                    let parameters = LESetAdvertisingParameters(
                        type: .nonConnectable,
                        ownAddressType: .resolvableOrPublic,
                        peer: peer
                    )
                    try bench.succeed(.leSetAdvertisingParameters(parameters))
                }
                command = .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: model.isAdvertising))
                expected = .success
            case 10, 11:
                model.isScanning.toggle()
                if model.isScanning {
                    try bench.scanning(isActive: random.next(below: 2) == 0)
                    continue
                }
                command = .leSetScanEnable(LESetScanEnable(isEnabled: false))
                expected = .success
            case 12:
                model.isInitiating.toggle()
                command = model.isInitiating ? bench.connecting(to: peer) : .leCreateConnectionCancel
                expected = .success
            default:
                let seconds = UInt16(1 + random.next(below: 5))
                command = .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: seconds))
                expected = .success
            }
            let status = try bench.status(of: command)
            hold(status == expected, "step \(steps), \(command): \(status), not \(expected)")
            bench.run(for: .milliseconds(Int64(random.next(below: 300))))
            _ = try bench.takeEvents()
            _ = bench.takeFrames()
            // An advertisement of its own may come between.
            guard model.isScanning, !model.isAdvertising else { continue }
            for _ in 0..<3 {
                let isIdentity = random.next(below: 3) == 0
                let key = Self.keys[1 + Int(random.next(below: 3))]
                let address =
                    isIdentity
                    ? Self.identities[Int(random.next(below: 4))]
                    : Someone.address(of: key, 1 + UInt32(random.next(below: 5)))
                guard bench.advertise(.advNonconnInd(advertiser: address, data: [])) != nil else { continue }
                let reported = try bench.takeEvents().compactMap { event -> PeerAddress? in
                    if case .leAdvertisingReport(let report) = event { report.reports.first?.peer } else { nil }
                }
                let wanted = model.peer(address).map { [$0] } ?? []
                hold(reported == wanted, "step \(steps): \(address) is reported as \(reported), not \(wanted)")
            }
        }
    }
}
