import Crypto
public import Foundation

/// Where a phone keeps the credentials of its person: sealed with AES-GCM under a key that needs both the PIN, by scrypt,
/// and a key of the device.
///
/// Wrong PINs are counted where the device's key is, before they are tried, so that no restart makes one undone, and the
/// count is sealed, so that one that was changed is refused. No clock is asked. The tenth erases everything; without the device's key no copy of what was sealed can be opened any more.
public final class CredentialVault {
    /// What is kept.
    public struct Record: Equatable, Sendable, Codable {
        public var credentials: Credentials?
        /// The desks that were used, the latest first.
        public var desks: [KnownDesk] = []
        public var settings = LoginSettings()

        public init() {}
    }

    /// A desk that its person has made sure of.
    public struct KnownDesk: Equatable, Sendable, Codable {
        public var identifier: DeskIdentifier
        /// The desk's lasting public key.
        public var key: Data

        public init(identifier: DeskIdentifier, key: Data) {
            self.identifier = identifier
            self.key = key
        }
    }

    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// That was not it; so many tries are left.
        case wrongPIN(left: Int)
        /// That was the last one: everything is erased.
        case wiped
        /// A PIN has 4 to 12 digits.
        case badPIN
        /// What is kept cannot be read, or is no vault.
        case damaged(String)
        /// It has to be opened first.
        case locked

        public var description: String {
            switch self {
            case .wrongPIN(let left): "Wrong PIN; \(left) \(left == 1 ? "try is" : "tries are") left"
            case .wiped: "Everything was erased"
            case .badPIN: "A PIN has 4 to 12 digits"
            case .damaged(let what): "Nothing can be kept: \(what)"
            case .locked: "The PIN is asked for first"
            }
        }
    }

    public static let tries = 10

    /// What is kept now. Version 1 has no seal.
    private static let version = 2

    private struct Device: Codable {
        var version = CredentialVault.version
        var key: Data
        var hasPIN = false
        var wrongEntries = 0
        /// Of the two before, with a key that is made of the device's.
        var seal: Data?

        private func makeSeal() -> Data {
            let sealing = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key),
                info: Data("bluethroat vault count 2".utf8),
                outputByteCount: 32
            )
            let sealed = Data("\(hasPIN) \(wrongEntries)".utf8)
            return Data(HMAC<SHA256>.authenticationCode(for: sealed, using: sealing))
        }

        /// As it is written.
        var sealed: Device {
            var device = self
            device.version = CredentialVault.version
            device.seal = makeSeal()
            return device
        }

        /// Whether it was written by a vault, as far as can be seen: a count that somebody else has changed was not.
        var isSound: Bool {
            guard key.count == 32, (0...CredentialVault.tries).contains(wrongEntries) else { return false }
            return version == 1 ? seal == nil : version == CredentialVault.version && seal == makeSeal()
        }
    }

    /// What is kept, sealed for a device's key.
    private struct Box: Codable {
        var cost: ScryptCost
        var salt: Data
        var box: Data
    }

    private struct Sealed: Codable {
        var version = CredentialVault.version
        /// One; while a PIN is changed another one, for the device's key that is about to be written.
        var boxes: [Box]
    }

    private let storage: any VaultStorage
    private let cost: ScryptCost
    private let random: RandomBytes
    private var key: SymmetricKey?
    private var salt = Data()
    /// What is in it; nil while it is locked.
    public private(set) var record: Record?

    public init(_ storage: any VaultStorage, cost: ScryptCost = .usual, random: RandomBytes = .system) {
        self.storage = storage
        self.cost = cost
        self.random = random
    }

    /// Whether a PIN has to be entered before anything can be done.
    public var needsPIN: Bool { record == nil && ((try? device())?.hasPIN ?? false) }

    public var hasPIN: Bool { (try? device())?.hasPIN ?? false }

    /// How many wrong PINs may still be entered.
    public var triesLeft: Int { Self.tries - ((try? device())?.wrongEntries ?? 0) }

    /// Fails if what is kept is no vault, or cannot be read, without opening it.
    public func check() throws(Failure) {
        _ = try parts()
    }

    /// Opens it; an empty one where there was none. Nil is for vaults without a PIN.
    @discardableResult
    public func open(pin: String? = nil) throws(Failure) -> Record {
        guard case (var device, let sealed)? = try parts() else {
            // Nothing there, or half of it after a wipe or a crash: neither half is of any use.
            try erase()
            return try begin()
        }
        if device.hasPIN {
            guard device.wrongEntries < Self.tries else { throw try wipe() }
            guard let pin, Self.isPIN(pin) else { throw .badPIN }
            // First it counts, then it is looked at.
            device.wrongEntries += 1
            try write(device)
        }
        guard let (opened, key, salt) = try unseal(sealed, pin: device.hasPIN ? pin : nil, device.key) else {
            guard device.hasPIN else {
                let names = "\(storage.name(of: .credentials)) and \(storage.name(of: .deviceKey))"
                throw .damaged("\(names) do not belong together; remove both to begin anew")
            }
            guard device.wrongEntries < Self.tries else { throw try wipe() }
            throw .wrongPIN(left: Self.tries - device.wrongEntries)
        }
        guard let record = opened else {
            throw .damaged("what is kept is of another version")
        }
        if device.wrongEntries > 0 {
            device.wrongEntries = 0
            try write(device)
        }
        self.key = key
        self.salt = salt
        self.record = record
        if min(device.version, sealed.version) < Self.version {
            // From now on no count without a seal is taken.
            try write(device)
            try save(record)
        }
        return record
    }

    /// Forgets the key until it is opened again.
    public func lock() {
        key = nil
        record = nil
    }

    public func save(_ record: Record) throws(Failure) {
        guard let key else { throw .locked }
        try write(Sealed(boxes: [seal(record, key, salt)]), .credentials)
        self.record = record
    }

    /// Demands a PIN from now on, or none. What is kept is sealed anew, with a device's key that is new, too.
    public func setPIN(_ pin: String?) throws(Failure) {
        guard let record, let key else { throw .locked }
        if let pin, !Self.isPIN(pin) { throw .badPIN }
        let device = Device(key: random(32), hasPIN: pin != nil)
        let nextSalt = random(16)
        let nextKey = try derive(pin: pin, device.key, cost, nextSalt)
        let next = seal(record, nextKey, nextSalt)
        // Whenever it is killed, what is kept opens with the device's key that is there, the old one or the new one.
        try write(Sealed(boxes: [seal(record, key, salt), next]), .credentials)
        try write(device)
        (self.key, salt) = (nextKey, nextSalt)
        try write(Sealed(boxes: [next]), .credentials)
    }

    /// Erases everything. What is kept anew begins without a PIN.
    public func erase() throws(Failure) {
        lock()
        do {
            // The key first: without it the rest is noise.
            try storage.erase(.deviceKey)
            try storage.erase(.credentials)
        } catch { throw .damaged("\(error)") }
    }

    public static func isPIN(_ text: String) -> Bool {
        (4...12).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func wipe() throws(Failure) -> Failure {
        try erase()
        return .wiped
    }

    private func begin() throws(Failure) -> Record {
        let device = Device(key: random(32))
        try write(device)
        salt = random(16)
        key = try derive(pin: nil, device.key, cost, salt)
        let record = Record()
        try save(record)
        return record
    }

    private func derive(
        pin: String?,
        _ deviceKey: Data,
        _ cost: ScryptCost,
        _ salt: Data
    ) throws(Failure) -> SymmetricKey {
        var secret = SecretBytes(deviceKey)
        if let pin {
            guard let stretched = cost.key(from: SecretBytes(pin), salt: salt) else {
                throw .damaged("there is too little memory")
            }
            secret = SecretBytes(joining: [secret, stretched])
        }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret.withUnsafeBytes { SymmetricKey(data: $0) },
            salt: salt,
            info: Data("bluethroat vault 1".utf8),
            outputByteCount: 32
        )
    }

    private func seal(_ record: Record, _ key: SymmetricKey, _ salt: Data) -> Box {
        // Neither can what is kept be no JSON, nor is 12 bytes a wrong length.
        var bytes = try! JSONEncoder().encode(record)
        defer { bytes.overwrite() }
        let box = try! AES.GCM.seal(
            bytes,
            using: key,
            nonce: AES.GCM.Nonce(data: random(12)),
            authenticating: Self.context(salt, Self.version)
        )
        return Box(cost: cost, salt: salt, box: box.combined!)
    }

    /// What is authenticated with a box. The version is, so that nobody makes an old part of a new one.
    private static func context(_ salt: Data, _ version: Int) -> Data {
        version == 1 ? salt : salt + Data([UInt8(version)])
    }

    /// What the first box holds that opens, nil inside if it is of another version; nil if none opens.
    private func unseal(
        _ sealed: Sealed,
        pin: String?,
        _ deviceKey: Data
    ) throws(Failure) -> (record: Record?, key: SymmetricKey, salt: Data)? {
        for box in sealed.boxes.prefix(2) {
            let key = try derive(pin: pin, deviceKey, box.cost, box.salt)
            if let sealedBox = try? AES.GCM.SealedBox(combined: box.box),
                var bytes = try? AES.GCM.open(
                    sealedBox,
                    using: key,
                    authenticating: Self.context(box.salt, sealed.version)
                )
            {
                defer { bytes.overwrite() }
                return (try? JSONDecoder().decode(Record.self, from: bytes), key, box.salt)
            }
        }
        return nil
    }

    private func device() throws(Failure) -> Device? {
        guard let device = try part(.deviceKey, as: Device.self) else { return nil }
        guard device.isSound else { throw noPart(.deviceKey) }
        return device
    }

    /// Both parts; nil unless both are there.
    private func parts() throws(Failure) -> (Device, Sealed)? {
        let device = try device(), sealed = try part(.credentials, as: Sealed.self)
        guard sealed.map({ (1...Self.version).contains($0.version) }) ?? true else { throw noPart(.credentials) }
        guard let device, let sealed else { return nil }
        // What is sealed is of a vault whose counts have seals: this one was made for it.
        guard device.version == Self.version || sealed.version == 1 else { throw noPart(.deviceKey) }
        return (device, sealed)
    }

    private func write(_ device: Device) throws(Failure) { try write(device.sealed, .deviceKey) }

    private func write(_ value: some Encodable, _ part: VaultPart) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { try storage.write(try encoder.encode(value), part) } catch { throw .damaged("\(error)") }
    }

    private func part<Value: Decodable>(_ part: VaultPart, as type: Value.Type) throws(Failure) -> Value? {
        let bytes: Data?
        do { bytes = try storage.read(part) } catch { throw .damaged("\(error)") }
        guard let bytes else { return nil }
        guard let value = try? JSONDecoder().decode(type, from: bytes) else { throw noPart(part) }
        return value
    }

    private func noPart(_ part: VaultPart) -> Failure {
        .damaged("\(storage.name(of: part)) is no part of a vault; remove what is there to begin anew")
    }
}
