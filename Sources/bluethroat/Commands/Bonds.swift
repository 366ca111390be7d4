import ArgumentParser
import AttributeText
import BluetoothCrypto
import BluetoothValues
import BondDatabase
import ByteCoding
import Foundation
import Host
import KeyFobConsole
import VirtualTime

/// Looks after the bonds of this machine.
struct Bonds: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, remove or export the bonds of this machine.",
        subcommands: [ListBonds.self, RemoveBonds.self, ExportBonds.self]
    )
}

/// What the commands about bonds have in common.
struct BondListOptions: ParsableArguments {
    @OptionGroup var file: BondOptions

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    /// Does something with the file; without one, or where something fails, says so.
    func run(_ body: (OpenBonds?) throws(CommandFailure) -> Void) throws(ExitStatus) {
        let reporter = Reporter(json: json)
        do throws(CommandFailure) {
            let database = try file.existing { reporter.tell(.warning($0), at: .zero) }
            try body(try database.map { database throws(CommandFailure) in try OpenBonds(database) })
        } catch {
            throw reporter.end(error)
        }
    }

    /// Says to people that there is nothing.
    func tellNone(_ what: String) throws(CommandFailure) {
        let path = try file.path()
        if !json { StandardError.write("no \(what) in \(path)") }
    }
}

/// The bonds of a file, and who they belong to.
struct OpenBonds {
    let database: BondDatabase
    let bonds: [Bond]
    private let names: [DeviceAddress: String]

    init(_ database: BondDatabase) throws(CommandFailure) {
        self.database = database
        do throws(BondDatabaseError) {
            bonds = try database.bonds()
            names = Dictionary(
                try database.identities().map { ($0.identity.address, $0.name) },
                uniquingKeysWith: { first, _ in first }
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// `central` or `keyfob`; the fob's own address is no stored one where its controller has an address.
    func owner(of bond: Bond) -> String {
        if let name = names[bond.local] { return name }
        if bond.local == PhoneFobOptions.address() { return "keyfob-phone" }
        return bond.keyAsCentral == nil ? "keyfob" : "central"
    }

    func bonds(with target: DeviceTarget) -> [Bond] { bonds.filter { target.matches($0) } }
}

/// Lists bonds.
struct ListBonds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bonds, without their keys."
    )

    @OptionGroup var options: BondListOptions

    func run() throws {
        try options.run { open throws(CommandFailure) in
            guard let open, !open.bonds.isEmpty else { return try options.tellNone("bonds") }
            let width = open.bonds.map(\.title.count).max() ?? 0
            for bond in open.bonds {
                let owner = open.owner(of: bond)
                StandardOutput.write(options.json ? bond.json(event: "bond", owner: owner) : bond.row(owner, width))
            }
        }
    }
}

/// Removes bonds.
struct RemoveBonds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forget the bond with a device, or with all of them.",
        discussion: "The device keeps its half: it has to forget this machine too before the two pair again."
    )

    @Argument(help: "The device: its address, or its name when it was paired with.", transform: { DeviceTarget($0) })
    var device: DeviceTarget?

    @Flag(help: "Forget all bonds.")
    var all = false

    @OptionGroup var options: BondListOptions

    func validate() throws {
        if all, device != nil { throw ValidationError("name a device, or give --all, but not both") }
        if !all, device == nil { throw ValidationError("name a device, or give --all") }
    }

    func run() throws {
        try options.run { open throws(CommandFailure) in
            let found = device.map { open?.bonds(with: $0) ?? [] } ?? open?.bonds ?? []
            guard let open, !found.isEmpty else {
                guard let device else { return try options.tellNone("bonds") }
                throw CommandFailure(
                    "there is no bond with \(device) in \(try options.file.path()); `bluethroat bonds list` lists them",
                    .nothingFound
                )
            }
            if case .name? = device, Set(found.map(\.peer)).count > 1 {
                let addresses = found.map(\.peer.description).joined(separator: ", ")
                throw CommandFailure("several devices have that name: \(addresses); give an address", .wrongUsage)
            }
            for bond in found {
                do throws(BondStoreError) {
                    try open.database.remove(peer: bond.peer, of: bond.local)
                } catch {
                    throw CommandFailure("\(error)")
                }
                StandardOutput.write(
                    options.json
                        ? bond.json(event: "bondRemoved", owner: open.owner(of: bond))
                        : "forgot " + bond.row(open.owner(of: bond))
                )
            }
        }
    }
}

/// Exports bonds, with their keys if that is wanted.
struct ExportBonds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write bonds as JSON, for other programs.",
        discussion: """
            With --keys the keys are in it too. Whoever has them can listen to the devices and pass for this machine: they \
            are written only to a new file that nobody else may read.
            """
    )

    @Argument(help: "Only this device: its address, or its name.", transform: { DeviceTarget($0) })
    var device: DeviceTarget?

    @Flag(help: "Export the keys too.")
    var keys = false

    @Option(help: ArgumentHelp("The file to make.", valueName: "file"))
    var output: String?

    @OptionGroup var options: BondListOptions

    func validate() throws {
        if keys, output == nil { throw ValidationError("keys are not for a screen; say with --output where they go") }
    }

    func run() throws {
        try options.run { open throws(CommandFailure) in
            let found = device.map { open?.bonds(with: $0) ?? [] } ?? open?.bonds ?? []
            guard let open, !found.isEmpty else {
                throw CommandFailure(
                    "there is no bond\(device.map { " with \($0)" } ?? "") in \(try options.file.path())",
                    .nothingFound
                )
            }
            let lines = found.map { $0.json(event: "bond", owner: open.owner(of: $0), keys: keys) }
            guard let output else { return lines.forEach(StandardOutput.write) }
            try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: output)
            if !options.json { StandardError.hint("wrote \(found.count) bonds to \(output)") }
        }
    }
}

extension Bond {
    /// The better of its keys.
    private var strength: LongTermKey? { keyAsCentral ?? keyAsPeripheral }

    /// What people call the peer.
    fileprivate var title: String { name.map(DecodedValue.harmless) ?? "(no name)" }

    /// One line for people, with so much room for the name.
    fileprivate func row(_ owner: String, _ width: Int = 0) -> String {
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
    fileprivate func json(event: String, owner: String, keys: Bool = false) -> String {
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
