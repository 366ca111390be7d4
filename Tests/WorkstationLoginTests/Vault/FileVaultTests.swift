import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The files that a phone keeps")
struct FileVaultTests {
    private let cheap = ScryptCost(logarithm: 1)!

    /// A folder of the test's own, with a vault in it unless that is not wanted.
    private func withFolder(isFilled: Bool = true, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vault-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        if isFilled {
            try CredentialVault(FileVaultStorage(folder: folder), cost: cheap).open()
        } else {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try body(folder)
    }

    private func vault(in folder: URL) -> CredentialVault {
        CredentialVault(FileVaultStorage(folder: folder), cost: cheap)
    }

    private func file(_ part: VaultPart, in folder: URL) -> URL { folder.appendingPathComponent(part.rawValue) }

    private func mode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int) & 0o777
    }

    @Test("They are of mode 0600 in a folder of mode 0700, and gone after a wipe, with all that a crash has left")
    func modes() throws {
        try withFolder { folder in
            var record = CredentialVault.Record()
            record.credentials = Credentials(user: "alice", password: "correct horse")
            do {
                let vault = vault(in: folder)
                try vault.open()
                try vault.save(record)
                try vault.setPIN("2580")
            }
            #expect(try mode(folder) == 0o700)
            for part in VaultPart.allCases { #expect(try mode(file(part, in: folder)) == 0o600) }
            #expect(try vault(in: folder).open(pin: "2580") == record)
            // A crash between writing a file and giving it its name.
            try Data(contentsOf: file(.deviceKey, in: folder)).write(
                to: folder.appendingPathComponent("device-key.new")
            )
            for _ in 0..<9 { _ = try? vault(in: folder).open(pin: "1111") }
            #expect(throws: CredentialVault.Failure.wiped) { try vault(in: folder).open(pin: "1111") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("Nobody tries PINs in several apps at once: the second one is told that there is a first")
    func alone() throws {
        try withFolder { folder in
            let first = vault(in: folder)
            try first.open()
            let failure = #expect(throws: CredentialVault.Failure.self) { try vault(in: folder).open() }
            #expect(failure?.description.contains("is in use by another login") == true)
            try first.setPIN("2580")
        }
    }

    @Test("A file that others may read, a link, a folder or a pipe in its place is refused in one line and left alone")
    func odd() throws {
        let oddities: [(String, (URL) throws -> Void)] = [
            (
                "is open to others (mode 644)",
                {
                    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: $0.path)
                }
            ),
            (
                "is a symbolic link",
                {
                    let target = $0.appendingPathExtension("elsewhere")
                    try FileManager.default.moveItem(at: $0, to: target)
                    try FileManager.default.createSymbolicLink(at: $0, withDestinationURL: target)
                }
            ),
            (
                "is no file",
                {
                    try FileManager.default.removeItem(at: $0)
                    try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
                }
            ),
            (
                "is no file",
                {
                    try FileManager.default.removeItem(at: $0)
                    #expect(mkfifo($0.path, 0o600) == 0)
                }
            ),
        ]
        for part in VaultPart.allCases {
            for (line, change) in oddities {
                try withFolder { folder in
                    try change(file(part, in: folder))
                    let failure = #expect(throws: CredentialVault.Failure.self) { try vault(in: folder).open() }
                    #expect(failure?.description.contains(line) == true, "\(failure as Any)")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count >= 2)
                }
            }
        }
    }

    @Test("A folder that others may enter, and one behind a link, are refused in one line, and nothing is made in them")
    func folders() throws {
        for mode in [0o755, 0o770, 0o711] {
            try withFolder(isFilled: false) { folder in
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
                let failure = #expect(throws: CredentialVault.Failure.self) { try vault(in: folder).open() }
                let line = "is open to others (mode \(String(mode, radix: 8))): chmod 700 \(folder.path)"
                #expect(failure?.description.contains(line) == true, "\(failure as Any)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
        try withFolder { folder in
            let link = folder.appendingPathExtension("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            defer { try? FileManager.default.removeItem(at: link) }
            #expect(throws: CredentialVault.Failure.self) { try vault(in: link).open() }
            try vault(in: folder).open()
        }
    }

    @Test(
        "A vault's files that are truncated, empty, long or of another version are refused in one line and left alone"
    )
    func damaged() throws {
        for part in VaultPart.allCases {
            var sound = Data()
            try withFolder { sound = try Data(contentsOf: file(part, in: $0)) }
            var damages = [Data(), Data("null".utf8), Data("[]".utf8), Data("{}".utf8), Data(count: 2 << 20)]
            damages += stride(from: 1, to: sound.count, by: 7).map { sound.prefix($0) }
            damages.append(
                Data(String(decoding: sound, as: UTF8.self).replacing("ersion\":2", with: "ersion\":3").utf8)
            )
            damages.append(Data(String(decoding: sound, as: UTF8.self).replacing(":", with: ":[").utf8))
            for damage in damages {
                try withFolder { folder in
                    try damage.write(to: file(part, in: folder))
                    let other = VaultPart.allCases.first { $0 != part }!
                    let before = try Data(contentsOf: file(other, in: folder))
                    let failure = #expect(throws: CredentialVault.Failure.self) { try vault(in: folder).open() }
                    let line = failure?.description ?? ""
                    #expect(!line.isEmpty && !line.contains("\n") && line.contains(part.rawValue), "\(line)")
                    #expect(try Data(contentsOf: file(part, in: folder)) == damage)
                    #expect(try Data(contentsOf: file(other, in: folder)) == before)
                }
            }
        }
    }

    @Test("Erasing takes a link away and leaves alone what it leads to")
    func link() throws {
        try withFolder(isFilled: false) { folder in
            let other = folder.appendingPathComponent("somebody's")
            try Data("precious".utf8).write(to: other)
            try FileManager.default.createSymbolicLink(at: file(.credentials, in: folder), withDestinationURL: other)
            try FileVaultStorage(folder: folder).erase(.credentials)
            #expect(try Data(contentsOf: other) == Data("precious".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["somebody's"])
        }
    }
}
