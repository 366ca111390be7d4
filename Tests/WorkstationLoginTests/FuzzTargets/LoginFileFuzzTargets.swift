import Crypto
import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// Files of a desk that another program may have written to: its key with what it has counted, and its log.
enum LoginFileFuzzTargets {
    static let all = [deskKeys, deskKeyFiles, auditLogs]

    /// Any contents, which the first byte chooses: any bytes, a key alone as older versions wrote it, or counts of any form that
    /// somebody has sealed who knows the key. Who is a desk by them waits for a time that there is, and writes them again.
    static let deskKeys = FuzzTarget(decoder: "login-desk-keys", upTo: 700) { bytes in
        guard let contents = contents(bytes), let desk = try? DeskKeyContents(parsing: contents) else { return }
        let counted = desk.counted ?? DeskKeyContents.Counted()
        _ = triesHeld(counted.failures)
        let again = try DeskKeyContents(parsing: desk.data)
        hold(again.key.bytes == desk.key.bytes && again.counted == counted, "\(counted) is written as another")
    }

    private static func contents(_ bytes: [UInt8]) -> Data? {
        guard let first = bytes.first else { return nil }
        let rest = Data(bytes.dropFirst())
        return switch first % 3 {
        case 0: rest
        case 1: Data(rest.base64EncodedString().utf8)
        default: sealed(rest)
        }
    }

    /// The same in a file: it is a desk's, or it is refused in one line; what is kept in it then is read again as the same.
    static let deskKeyFiles = FuzzTarget(file: "login-desk-key-files", upTo: 700) { bytes in
        guard let contents = contents(bytes) else { return }
        let file = fuzzFolder.appendingPathComponent("bluethroat-fuzz-\(getpid()).key")
        let beside = ["", ".lock", ".new"].map { file.path + $0 }
        func remove() { for path in beside { unlink(path) } }
        remove()
        defer { remove() }
        let isThere = FileManager.default.createFile(
            atPath: file.path,
            contents: contents,
            attributes: [.posixPermissions: 0o600]
        )
        hold(isThere, "there is no room for \(file.path)")
        do {
            let desk = try DeskKeyFile(file)
            hold(try DeskKeyFile.key(in: file)?.bytes == desk.key.bytes, "a desk and others read different keys")
            try checkKeeping(desk, file)
        } catch let failure as DeskKeyFile.Failure {
            let text = "\(failure)"
            hold(isOneLine(text) && text.contains(file.path), "what is said is \(text.debugDescription)")
            // Not `Data(contentsOf:)`, which loses a page of memory where a file is empty.
            let kept = try FileHandle(forReadingFrom: file).read(upToCount: contents.count + 1) ?? Data()
            hold(kept == contents, "what is refused was changed")
            // Who only looks at the key sees the same.
            check(that: failure) { _ = try DeskKeyFile.key(in: file) }
        }
    }

    private static func checkKeeping(_ desk: DeskKeyFile, _ file: URL) throws {
        var tries = triesHeld(desk.failures)
        _ = tries.failed(user: "alice", at: 1)
        let log = fuzzFolder.appendingPathComponent("log")
        let after = tries.failures(at: 1)
        hold(desk.keep(after) == nil, "failures are not kept")
        try desk.keep(entries: 7, ofLog: log)
        hold(desk.failures == after, "the desk counts other failures than it keeps")
        hold(try DeskKeyFile.entries(ofLog: log, accordingTo: file) == 7, "a log has another length in the file")
        hold(try DeskKeyFile.key(in: file)?.bytes == desk.key.bytes, "the key was changed")
        // Another desk has the lock while this one lives.
        check(that: .inUse(file.path)) { _ = try DeskKeyFile(file) }
    }

    /// Those of a desk that begins with these failures.
    private static func triesHeld(_ failures: DeskFailures) -> DeskGuard {
        let tries = DeskGuard(failures, at: 0)
        hold(tries.wait(at: 0) ?? 0 <= 901, "the desk listens to nobody for \(tries.wait(at: 0) ?? 0) s")
        for user in failures.users.keys {
            hold(tries.wait(for: user, at: 0) ?? 0 <= 901, "\(user) waits for long")
        }
        return tries
    }

    private static func check(that expected: DeskKeyFile.Failure, isThrownBy body: () throws -> Void) {
        do {
            try body()
            hold(false, "nothing is thrown, where \(expected) is expected")
        } catch { hold(error as? DeskKeyFile.Failure == expected, "\(error) is thrown, not \(expected)") }
    }

    /// As a desk writes it.
    private static func sealed(_ counted: Data) -> Data {
        guard let key = DeskKey(Data(repeating: 7, count: 32)) else { preconditionFailure("32 bytes are a key") }
        let secret = key.secret(for: "bluethroat desk failures 2")
        let seal = Data(HMAC<SHA256>.authenticationCode(for: counted, using: secret))
        let parts = [("failures", counted), ("key", key.bytes), ("seal", seal)]
        let fields = parts.map { #""\#($0)":"\#($1.base64EncodedString())""# }.joined(separator: ",")
        return Data("{\(fields),\"version\":2}\n".utf8)
    }

    /// A log, and somebody without the desk's key who changes it and its head in any way.
    static let auditLogs = FuzzTarget(machine: "login-audit-logs", upTo: 120) { input in
        var log = try EditedLog(&input)
        for _ in 0..<12 where !input.isEmpty { log.edit(&input) }
        log.check()
    }

    /// Whether a terminal shows it as one line.
    static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
    }
}
