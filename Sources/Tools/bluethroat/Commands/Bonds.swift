import ArgumentParser
import BluethroatBluetoothValues
import BluethroatBondDatabase
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatLive
import BluethroatTerminal
import BluethroatVirtualTime
import Foundation

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
    func run(_ body: (OpenBonds?) throws(OperationFailure) -> Void) throws(ExitStatus) {
        let reporter = CentralEventWriter(json: json)
        do throws(OperationFailure) {
            let database = try file.file.existing { reporter.write(.warning($0), at: .zero) }
            try body(
                try database.map { database throws(OperationFailure) in
                    try OpenBonds(database, wellKnown: [PhoneFobOptions.address(): "keyfob-phone"])
                }
            )
        } catch {
            throw reporter.end(error)
        }
    }

    /// Says to people that there is nothing.
    func tellNone(_ what: String) throws(OperationFailure) {
        let path = try file.file.path()
        if !json { StandardError.write("no \(what) in \(path)") }
    }
}

/// Lists bonds.
struct ListBonds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bonds, without their keys."
    )

    @OptionGroup var options: BondListOptions

    func run() throws {
        try options.run { open throws(OperationFailure) in
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
        try options.run { open throws(OperationFailure) in
            guard device != nil || open?.bonds.isEmpty == false else { return try options.tellNone("bonds") }
            let (open, found) = try OpenBonds.chosen(device, of: open, in: options.file.file.path())
            try open.remove(found) { bond in
                let owner = open.owner(of: bond)
                StandardOutput.write(
                    options.json ? bond.json(event: "bondRemoved", owner: owner) : "forgot " + bond.row(owner)
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

    @Option(file: "The file to make.")
    var output: String?

    @OptionGroup var options: BondListOptions

    func validate() throws {
        if keys, output == nil { throw ValidationError("keys are not for a screen; say with --output where they go") }
    }

    func run() throws {
        try options.run { open throws(OperationFailure) in
            let (open, found) = try OpenBonds.all(with: device, of: open, in: options.file.file.path())
            let lines = found.map { $0.json(event: "bond", owner: open.owner(of: $0), keys: keys) }
            guard let output else { return lines.forEach(StandardOutput.write) }
            try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: output)
            if !options.json { StandardError.hint("wrote \(found.count) bonds to \(output)") }
        }
    }
}
