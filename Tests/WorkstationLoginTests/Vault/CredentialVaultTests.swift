import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("What a phone keeps")
struct CredentialVaultTests {
    private let cheap = ScryptCost(logarithm: 1)!

    private func record(_ password: String = "correct horse") -> CredentialVault.Record {
        var record = CredentialVault.Record()
        record.credentials = Credentials(user: "alice", password: password)
        return record
    }

    /// A vault with a PIN and something in it; each call of the closure is another start of the app.
    private func filled(pin: String? = "2580") throws -> (MemoryVaultStorage, () -> CredentialVault) {
        let storage = MemoryVaultStorage()
        let start = { CredentialVault(storage, cost: ScryptCost(logarithm: 1)!) }
        let vault = start()
        try vault.open()
        try vault.save(record())
        if let pin { try vault.setPIN(pin) }
        return (storage, start)
    }

    @Test("What was kept is there after a restart, with a PIN and without", arguments: [nil, "2580", "123456789012"])
    func restart(pin: String?) throws {
        let (storage, start) = try filled(pin: pin)
        let vault = start()
        #expect(vault.needsPIN == (pin != nil) && vault.record == nil)
        #expect(try vault.open(pin: pin) == record())
        for part in storage.parts.values {
            #expect(part.range(of: Data("correct horse".utf8)) == nil && part.range(of: Data("alice".utf8)) == nil)
        }
    }

    @Test("Ten wrong PINs erase everything, counted across restarts, and no copy of what was sealed opens afterwards")
    func wipe() throws {
        let (storage, start) = try filled()
        let copy = storage.parts[.credentials]
        for left in stride(from: 9, through: 1, by: -1) {
            #expect(throws: CredentialVault.Failure.wrongPIN(left: left)) { try start().open(pin: "0000") }
            #expect(start().triesLeft == left)
        }
        #expect(throws: CredentialVault.Failure.wiped) { try start().open(pin: "0000") }
        #expect(storage.parts.isEmpty)
        storage.parts[.credentials] = copy
        let vault = start()
        #expect(!vault.needsPIN)
        #expect(try vault.open(pin: "2580") == CredentialVault.Record(), "it begins anew, empty")
    }

    @Test("The right PIN makes the count begin anew; a process that is killed while it tries has tried")
    func count() throws {
        let (storage, start) = try filled()
        for _ in 0..<9 { #expect(throws: CredentialVault.Failure.self) { try start().open(pin: "1111") } }
        try start().open(pin: "2580")
        #expect(start().triesLeft == 10)

        for left in stride(from: 9, through: 5, by: -1) {
            _ = try? CredentialVault(DyingStorage(storage), cost: cheap).open(pin: "2580")
            #expect(start().triesLeft == left, "even the right one counts until it was seen to be right")
        }
        // Killed between the tenth and the erasing: the next start erases.
        let (other, again) = try filled()
        for _ in 0..<10 { _ = try? CredentialVault(DyingStorage(other), cost: cheap).open(pin: "1111") }
        #expect(throws: CredentialVault.Failure.wiped) { try again().open(pin: "2580") }
        #expect(other.parts.isEmpty)
    }

    @Test("Killed while a PIN is set, changed or taken away, it opens with the old one or the new one")
    func killedWhileChanging() throws {
        for (old, new) in [(nil, "2580"), ("2580", "9999"), ("2580", nil)] as [(String?, String?)] {
            for writes in 0...3 {
                let (storage, start) = try filled(pin: old)
                // To open it with a PIN takes two.
                let dying = DyingStorage(storage, writes: writes + (old == nil ? 0 : 2))
                let vault = CredentialVault(dying, cost: cheap)
                try vault.open(pin: old)
                let isDone = (try? vault.setPIN(new)) != nil
                #expect(isDone == (writes == 3))
                let (valid, other) = writes < 2 ? (old, new) : (new, old)
                #expect(start().needsPIN == (valid != nil))
                if valid != nil, let other {
                    #expect(throws: CredentialVault.Failure.wrongPIN(left: 9)) { try start().open(pin: other) }
                }
                let copy = storage.parts[.credentials]
                let again = start()
                #expect(
                    try again.open(pin: valid) == record(),
                    "\(writes) writes, from \(old ?? "none") to \(new ?? "none")"
                )
                try again.save(record())
                #expect(
                    storage.parts[.credentials]!.count < copy!.count || writes == 0 || writes == 3,
                    "what is over is gone"
                )
            }
        }
    }

    @Test("The sealed part alone opens with no PIN there is: a copy of it is worth nothing")
    func copied() throws {
        let (storage, _) = try filled()
        let thief = MemoryVaultStorage([.credentials: storage.parts[.credentials]!])
        // The thief makes a device's key of their own, and does not let the count stop them.
        let other = MemoryVaultStorage()
        let own = CredentialVault(other, cost: cheap)
        try own.open()
        try own.setPIN("0000")
        // Among them the right one.
        for number in stride(from: 0, to: 10_000, by: 12) {
            thief.parts[.deviceKey] = other.parts[.deviceKey]
            let digits = String(number + 10_000).dropFirst()
            #expect(throws: CredentialVault.Failure.wrongPIN(left: 9)) {
                try CredentialVault(thief, cost: cheap).open(pin: String(digits))
            }
        }
    }

    @Test("Whoever has both parts can try PINs as fast as scrypt lets them: four digits do not protect against that")
    func bothCopied() throws {
        let (storage, _) = try filled(pin: "0042")
        let thief = MemoryVaultStorage()
        var found: String?
        for number in 0..<10_000 where found == nil {
            thief.parts = storage.parts
            let digits = String(String(number + 10_000).dropFirst())
            if (try? CredentialVault(thief, cost: cheap).open(pin: digits)) != nil { found = digits }
        }
        #expect(found == "0042")
    }

    @Test(
        "A PIN has 4 to 12 digits; nothing else is tried or counted",
        arguments: ["", "123", "1234567890123", "12a4", "١٢٣٤"]
    )
    func badPIN(pin: String) throws {
        let (_, start) = try filled()
        #expect(throws: CredentialVault.Failure.badPIN) { try start().open(pin: pin) }
        #expect(start().triesLeft == 10)
    }

    @Test(
        "Each time something is kept, it is sealed with another nonce, and a PIN is stretched by scrypt with a salt of its own"
    )
    func nonces() throws {
        struct Kept: Decodable {
            struct Box: Decodable { let salt, box: Data }
            let boxes: [Box]
        }
        let (storage, start) = try filled()
        let vault = start()
        try vault.open(pin: "2580")
        var nonces: Set<Data> = [], salts: Set<Data> = []
        for number in 0..<50 {
            if number == 25 { try vault.setPIN("1234") }
            try vault.save(record())
            let kept = try JSONDecoder().decode(Kept.self, from: try #require(storage.parts[.credentials]))
            nonces.insert(try #require(kept.boxes.first).box.prefix(12))
            salts.insert(try #require(kept.boxes.first).salt)
        }
        #expect(nonces.count == 50 && salts.count == 2)
        #expect(ScryptCost.usual == ScryptCost(logarithm: 15, blockSize: 8, parallelism: 1))
    }

    @Test("The PIN can be changed and taken away, by who has opened it")
    func change() throws {
        let (_, start) = try filled()
        #expect(throws: CredentialVault.Failure.locked) { try start().setPIN("9999") }
        let vault = start()
        try vault.open(pin: "2580")
        try vault.setPIN("9999")
        #expect(vault.record == record() && !vault.needsPIN, "who has just said the PIN goes on")
        #expect(throws: CredentialVault.Failure.wrongPIN(left: 9)) { try start().open(pin: "2580") }
        let again = start()
        try again.open(pin: "9999")
        try again.setPIN(nil)
        #expect(try start().open() == record())
    }

    @Test("What was changed, or is no vault, is told; nothing traps", arguments: 0..<200)
    func hostile(seed: UInt64) throws {
        let (storage, start) = try filled(pin: seed % 2 == 0 ? nil : "2580")
        let random = RandomBytes.seeded(seed)
        let part: VaultPart = random(1)[0] % 2 == 0 ? .credentials : .deviceKey
        var bytes = storage.parts[part]!
        if random(1)[0] % 4 == 0 {
            bytes = bytes.prefix(Int(random(1)[0]) % bytes.count)
        } else {
            bytes[Int(random(1)[0]) % bytes.count] ^= 1 << (random(1)[0] % 8)
        }
        storage.parts[part] = bytes
        // Something that means the same is fine; what is not must be an error.
        if let opened = try? start().open(pin: "2580") { #expect([record(), .init()].contains(opened)) }
    }

    @Test(
        "A count of tries that nobody can have made is told, and no PIN is tried with it",
        arguments: [Int.min, -1, 11, .max]
    )
    func forgedCount(count: Int) throws {
        let (storage, start) = try filled()
        let text = String(decoding: storage.parts[.deviceKey]!, as: UTF8.self)
        let forged = text.replacingOccurrences(of: "\"wrongEntries\":0", with: "\"wrongEntries\":\(count)")
        #expect(forged != text)
        storage.parts[.deviceKey] = Data(forged.utf8)
        #expect(start().triesLeft == 10 && !start().needsPIN)
        let failure = #expect(throws: CredentialVault.Failure.self) { try start().open(pin: "2580") }
        #expect(failure?.description.contains("device-key is no part of a vault") == true)
    }

    @Test(
        "Wrong PINs that were counted and are counted no more, by whatever change of the file, are told: no try is given"
    )
    func loweredCount() throws {
        for (from, to) in [
            ("\"wrongEntries\":9", "\"wrongEntries\":0"), ("\"wrongEntries\":9", "\"wrongEntries\":8"),
            ("\"hasPIN\":true", "\"hasPIN\":false"), ("\"version\":2", "\"version\":1"),
        ] {
            let (storage, start) = try filled()
            for _ in 0..<9 { _ = try? start().open(pin: "1111") }
            let text = String(decoding: storage.parts[.deviceKey]!, as: UTF8.self)
            let forged = text.replacing(from, with: to)
            #expect(forged != text)
            storage.parts[.deviceKey] = Data(forged.utf8)
            for pin in ["1111", "2580"] {
                let failure = #expect(throws: CredentialVault.Failure.self) { try start().open(pin: pin) }
                #expect(failure?.description.contains("device-key is no part of a vault") == true, "\(from)")
            }
            #expect(throws: CredentialVault.Failure.self) { try start().check() }
            #expect(storage.parts[.deviceKey] == Data(forged.utf8), "it is left as it was found")
        }
    }

    /// A file without what came with version 2.
    private func old(_ part: Data, without key: String? = nil) throws -> Data {
        var object = try #require(JSONSerialization.jsonObject(with: part) as? [String: Any])
        object["version"] = 1
        if let key { object[key] = nil }
        return try JSONSerialization.data(withJSONObject: object)
    }

    @Test("The count that an older version kept cannot take the place of a sealed one")
    func oldCount() throws {
        let (storage, start) = try filled()
        let sound = storage.parts
        storage.parts[.deviceKey] = try old(sound[.deviceKey]!, without: "seal")
        #expect(throws: CredentialVault.Failure.self) { try start().open(pin: "2580") }
        // Nor if both parts are said to be old ones: what is sealed knows its version, and no PIN opens it.
        storage.parts[.credentials] = try old(sound[.credentials]!)
        #expect(throws: CredentialVault.Failure.wrongPIN(left: 9)) { try start().open(pin: "2580") }
    }

    @Test("A vault of version 1 opens, with what it has counted, and is one of version 2 from then on")
    func versionOne() throws {
        let storage = MemoryVaultStorage(OldVault.parts)
        let start = { CredentialVault(storage, cost: ScryptCost(logarithm: 1)!) }
        try start().check()
        #expect(start().triesLeft == 7 && start().needsPIN)
        #expect(throws: CredentialVault.Failure.wrongPIN(left: 6)) { try start().open(pin: "0000") }
        #expect(try start().open(pin: "2580") == record())
        #expect(start().triesLeft == 10)
        for part in VaultPart.allCases {
            #expect(String(decoding: storage.parts[part]!, as: UTF8.self).contains("\"version\":2"))
        }
        #expect(try start().open(pin: "2580") == record())
        storage.parts[.deviceKey] = OldVault.parts[.deviceKey]
        #expect(throws: CredentialVault.Failure.self) { try start().open(pin: "2580") }
    }
}

/// What version 1 of the vault kept for alice, under the PIN 2580, after three wrong ones.
private enum OldVault {
    static let parts: [VaultPart: Data] = [
        .deviceKey: Data(
            #"{"hasPIN":true,"key":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","version":1,"wrongEntries":3}"#.utf8
        ),
        .credentials: Data(
            """
            {"boxes":[{"box":"\
            MjM0NTY3ODk6Ozw9l3ORzG8sU4Dz7uvaoyOnQh8QLoHW8dr3U4t+f+prP7fDwB+JmPwEkuTANedThfFTSJpN8qQLj4z1Ack83cnY\
            1dvH+xfxfgazUYdNkn2TP6M9vEb5zaTgemAVFJCC/pBuMSnZyied4CV66fF6AkYveK+HguWzF1uCoXd9/K09dMn+FEHU9ddoor1c\
            pcCLZDOAolqm+Emt1/739ALYM3w1RazU0Noe4yr8FZRVyaL89m1n2I2/sjvt068kgehqRfqNICN37VallAbqzYdgQSe61WrMlokN\
            d6M=\
            ","cost":{"blockSize":8,"logarithm":1,"parallelism":1},"salt":"ZGVmZ2hpamtsbW5vcHFycw=="}],"version":1}
            """.utf8
        ),
    ]
}

/// A disk that the process does not outlive: it fails after so many writes.
private final class DyingStorage: VaultStorage {
    struct Death: Error {}

    private let storage: MemoryVaultStorage
    private var writes: Int

    init(_ storage: MemoryVaultStorage, writes: Int = 1) {
        self.storage = storage
        self.writes = writes
    }

    func read(_ part: VaultPart) throws -> Data? { storage.read(part) }

    func write(_ bytes: Data, _ part: VaultPart) throws {
        guard writes > 0 else { throw Death() }
        writes -= 1
        storage.write(bytes, part)
    }

    func erase(_ part: VaultPart) throws { throw Death() }
}
