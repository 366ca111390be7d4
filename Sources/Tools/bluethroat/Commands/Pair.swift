import ArgumentParser
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatKeyFob
import BluethroatLive
import BluethroatLiveLoop
import BluethroatTerminal
import BluethroatVirtualTime

/// Pairs with a device.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pair with a device, and with --bond remember it.",
        discussion: """
            Which digits are to be compared or typed is asked at standard input. A key fob's passkey is 000000.

            Without --bond the keys are gone when the command ends.
            """
    )

    @OptionGroup var target: DeviceOptions
    @OptionGroup var pairing: PairingFlags
    @OptionGroup var central: CentralOptions

    func run() async throws {
        var settings = pairing.settings
        do throws(OperationFailure) {
            if let path = pairing.oob {
                let received = try OutOfBandFile(contentsOf: path, forLegacyPairing: pairing.legacy)
                settings.outOfBand.secureConnections = received.secureConnections
                settings.outOfBand.temporaryKey = received.temporaryKey
            }
        } catch {
            throw CentralEventWriter(json: central.json).end(error)
        }
        let answers = Central.Answers(passkey: pairing.passkey, agrees: pairing.yes)
        try await central.run(pairing.bond ? .bonding : .none, encryptsBondedLinks: false) {
            (central, _) throws(OperationFailure) in
            if let path = pairing.ownOob { try await writeOwnData(path, &settings, central) }
            let device = try await target.connect(central, self.central, isStrict: false, encrypting: false)
            let name = device.localName ?? target.device.name
            let result = try await central.pair(settings, answers, name: name)
            let peer = central.connection?.peer ?? device.address
            central.emit(.paired(peer, name: name, result))
            if pairing.bond, !result.isBonded {
                throw OperationFailure(
                    "paired, but not bonded: the device does not keep keys, or they could not be saved"
                )
            }
        }
    }

    /// Writes what the peer is to know, and waits until the user has carried it over.
    private func writeOwnData(
        _ path: String,
        _ settings: inout PairingSettings,
        _ central: Central
    ) async throws(OperationFailure) {
        var own = OutOfBandFile()
        if pairing.legacy {
            // The same for both; a side that has one already uses that.
            let key = settings.outOfBand.temporaryKey ?? .fromSystem()
            settings.outOfBand.temporaryKey = key
            own.temporaryKey = key
        } else {
            own.secureConnections = try await central.makeOutOfBandData()
        }
        if path != "-" { try PrivateFile.write(own.text + "\n", to: path) }
        central.emit(.outOfBand(own, path: path))
        guard StandardInput.isTerminal else { return }
        try await central.waitForReturn("Carry that to the other device, then press Return. ")
    }
}

extension DeviceTarget {
    /// The name, if it is one.
    fileprivate var name: String? { if case .name(let name) = self { name } else { nil } }
}
