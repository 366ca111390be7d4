import BluethroatAttributeText
import BluethroatBluetoothCrypto
package import BluethroatBluetoothValues
package import BluethroatBondDatabase
import BluethroatByteCoding
package import BluethroatEvents
package import BluethroatHost

/// The bonds of a file, and who they belong to.
package struct OpenBonds {
    package let database: BondDatabase
    package let bonds: [Bond]
    private let names: [DeviceAddress: String]
    private let wellKnown: [DeviceAddress: String]

    /// - Parameter wellKnown: names of devices whose address is in no file.
    package init(
        _ database: BondDatabase,
        wellKnown: [DeviceAddress: String] = [:]
    ) throws(OperationFailure) {
        self.database = database
        self.wellKnown = wellKnown
        do throws(BondDatabaseError) {
            bonds = try database.bonds()
            names = Dictionary(
                try database.identities().map { ($0.identity.address, $0.name) },
                uniquingKeysWith: { first, _ in first }
            )
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// `central` or `keyfob`; the fob's own address is no stored one where its controller has an address.
    package func owner(of bond: Bond) -> String {
        if let name = names[bond.local] { return name }
        if let name = wellKnown[bond.local] { return name }
        return bond.keyAsCentral == nil ? "keyfob" : "central"
    }

    package func bonds(with target: DeviceTarget) -> [Bond] { bonds.filter { target.matches($0) } }
}

extension OpenBonds {
    /// The bonds with a device, or all of them; there has to be one.
    package static func all(
        with device: DeviceTarget?,
        of open: OpenBonds?,
        in path: String,
        advice: String = ""
    ) throws(OperationFailure) -> (OpenBonds, [Bond]) {
        let found = device.map { open?.bonds(with: $0) ?? [] } ?? open?.bonds ?? []
        guard let open, !found.isEmpty else {
            throw OperationFailure(
                "there is no bond\(device.map { " with \($0)" } ?? "") in \(path)\(advice)",
                .nothingFound
            )
        }
        return (open, found)
    }

    /// The same where a name has to be that of one device.
    package static func chosen(
        _ device: DeviceTarget?,
        of open: OpenBonds?,
        in path: String
    ) throws(OperationFailure) -> (OpenBonds, [Bond]) {
        let (open, found) = try all(with: device, of: open, in: path, advice: "; `bluethroat bonds list` lists them")
        if case .name? = device, Set(found.map(\.peer)).count > 1 {
            let addresses = found.map(\.peer.description).joined(separator: ", ")
            throw OperationFailure("several devices have that name: \(addresses); give an address", .wrongUsage)
        }
        return (open, found)
    }

    /// Forgets bonds; `forgot` is called after each.
    package func remove(_ bonds: [Bond], forgot: (Bond) -> Void) throws(OperationFailure) {
        for bond in bonds {
            do throws(BondStoreError) {
                try database.remove(peer: bond.peer, of: bond.local)
            } catch {
                throw OperationFailure("\(error)")
            }
            forgot(bond)
        }
    }
}

extension Bond {
    /// The better of its keys.
    private var strength: LongTermKey? { keyAsCentral ?? keyAsPeripheral }

    /// What people call the peer.
    package var title: String { name.map(DecodedValue.harmless) ?? "(no name)" }

    /// One line for people, with so much room for the name.
    package func row(_ owner: String, _ width: Int = 0) -> String {
        var facts: [String] = []
        if let strength {
            facts.append(strength.isAuthenticated ? "authenticated" : "not authenticated")
            facts.append(strength.isSecureConnections ? "Secure Connections" : "legacy")
            facts.append("key of \(strength.size) bytes")
        }
        if peerIdentityResolvingKey != nil { facts.append("private addresses") }
        let title = title + String(repeating: " ", count: max(0, width - title.count))
        return "\(peer) \(peer.kindName)  \(title)  as \(owner)  \(facts.joined(separator: ", "))"
    }

    /// One object for programs. Keys are in hexadecimal digits, most significant byte first.
    package func json(event: String, owner: String, keys: Bool = false) -> String {
        var line = JSONLine(event: event)
        line.add("peer", peer.description)
        line.add("addressType", peer.kindName)
        if let name { line.add("name", name) }
        line.add("as", owner)
        line.add("local", local.description)
        line.add("localType", local.kindName)
        if let strength {
            line.add("authenticated", strength.isAuthenticated)
            line.add("secureConnections", strength.isSecureConnections)
            line.add("keySize", strength.size)
        }
        line.add("hasPrivateAddresses", peerIdentityResolvingKey != nil)
        guard keys else { return line.text }
        if let keyAsCentral { line.add("longTermKeyAsCentral", keyAsCentral) }
        if let keyAsPeripheral { line.add("longTermKeyAsPeripheral", keyAsPeripheral) }
        line.add("identityResolvingKey", peerIdentityResolvingKey)
        line.add("peerSigningKey", peerSigningKey)
        line.add("localSigningKey", localSigningKey)
        if peerSigningKey != nil { line.add("peerSignCounter", Int(peerSignCounter)) }
        if localSigningKey != nil { line.add("localSignCounter", Int(localSignCounter)) }
        return line.text
    }
}

extension JSONLine {
    fileprivate mutating func add(_ name: String, _ key: Block128?) {
        if let key { add(name, key.bigEndianBytes.hex) }
    }

    fileprivate mutating func add(_ name: String, _ key: LongTermKey) {
        add(name, key.value)
        guard key.identification != .none else { return }
        let identification = key.identification
        add(name + "EDIV", Int(identification.encryptedDiversifier))
        add(name + "Rand", Array(withUnsafeBytes(of: identification.random.bigEndian) { [UInt8]($0) }).hex)
    }
}
