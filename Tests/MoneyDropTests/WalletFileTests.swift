import BluethroatMoneyTerms
import BluethroatPrivateFiles
import Foundation
import Testing

@testable import BluethroatMoneyDrop

@Suite("The file of a wallet")
struct WalletFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "wallets-\(UUID())").path
    private var path: String { folder + "/ben.wallet" }

    private func run(_ body: () throws -> Void) throws {
        mkdir(folder, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private var wallet: Wallet {
        var wallet = Wallet()
        wallet.account = BankAccount(
            credentials: Credentials(account: UUID(), secret: "secret"),
            name: "Ben",
            currency: .euro,
            bankKey: BankSigningKey().publicKey
        )
        wallet.lastIncoming = 7
        return wallet
    }

    private func make() throws -> Data {
        try WalletFile(path: path).save(wallet)
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test("The latest receipts are kept, each found by its transfer, once, and without reading any")
    func receipts() throws {
        var wallet = wallet
        let transfers = (0...Wallet.receiptLimit).map { _ in UUID() }
        for (number, transfer) in transfers.enumerated() { wallet.keep(receipt: Data("\(number)".utf8), of: transfer) }
        #expect(wallet.receipts?.count == Wallet.receiptLimit)
        #expect(wallet.receipt(of: transfers[0]) == nil)
        #expect(wallet.receipt(of: transfers[1]) == Data("1".utf8))
        #expect(wallet.receipt(of: transfers[Wallet.receiptLimit]) == Data("\(Wallet.receiptLimit)".utf8))
        wallet.keep(receipt: Data("again".utf8), of: transfers[1])
        #expect(wallet.receipt(of: transfers[1]) == Data("1".utf8) && wallet.receipts?.count == Wallet.receiptLimit)
        try run {
            try WalletFile(path: path).save(wallet)
            #expect(try WalletFile(path: path).load() == wallet)
        }
    }

    @Test("A wallet of before, which has the bytes of its receipts alone, is read with all of them")
    func earlierReceipts() throws {
        let content = Receipt.Content(
            transfer: UUID(),
            token: UUID(),
            amount: Money(minorUnits: 1, .euro),
            time: 0,
            payer: "Ben"
        )
        let receipt = Receipt(signing: content, with: BankSigningKey()).bytes
        try run {
            var fields = try #require(JSONSerialization.jsonObject(with: make()) as? [String: Any])
            fields["receipts"] = [Data([1, 2]).base64EncodedString(), receipt.base64EncodedString()]
            try JSONSerialization.data(withJSONObject: fields).write(to: URL(filePath: path))
            chmod(path, 0o600)
            let wallet = try #require(try WalletFile(path: path).load())
            #expect(wallet.receipt(of: content.transfer) == receipt && wallet.receipts?.count == 2)
            #expect(wallet.account?.name == "Ben" && wallet.lastIncoming == 7)
        }
    }

    @Test(
        "A wallet, and the file of its lock, are for their owner alone; where others may read or write them they are refused"
    )
    func modes() throws {
        for end in ["", ".lock"] {
            try run {
                let bytes = try make()
                #expect(
                    try FileManager.default.attributesOfItem(atPath: path + end)[.posixPermissions] as? Int == 0o600
                )
                for mode: mode_t in [0o666, 0o644, 0o620] {
                    chmod(path + end, mode)
                    let failure = #expect(throws: PrivateFiles.Failure.self) { try WalletFile(path: path).load() }
                    #expect(failure?.description.hasSuffix("chmod 600 \(path + end)") == true, "\(failure as Any)")
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            }
        }
    }

    @Test("Behind a link is no wallet, and nothing is locked or written there")
    func links() throws {
        for end in ["", ".lock", ".new"] {
            try run {
                let precious = folder + "/precious"
                try Data("precious".utf8).write(to: URL(filePath: precious))
                chmod(precious, 0o600)
                symlink(precious, path + end)
                if end != ".new" {
                    #expect(throws: PrivateFiles.Failure.link(path + end)) { try WalletFile(path: path).load() }
                }
                try? WalletFile(path: path).save(wallet)
                #expect(try Data(contentsOf: URL(filePath: precious)) == Data("precious".utf8), "\(end)")
            }
        }
    }

    @Test("A wallet that is cut off, of other types, of another version or long is one line, and stays as it is")
    func damaged() throws {
        try run {
            let sound = try make()
            let text = String(decoding: sound, as: UTF8.self)
            var damages = [Data(), Data("null".utf8), Data("[]".utf8), Data("7".utf8), Data([0xFF, 0xFE])]
            damages += stride(from: 1, to: sound.count, by: 5).map { sound.prefix($0) }
            for (old, new) in [
                ("\"EUR\"", "\"euro\""), (":7", ":\"7\""), (":7", ":7.5"), (":7", ":99999999999999999999"),
                ("\"outgoing\":[]", "\"outgoing\":{}"), ("\"notices\":[]", "\"notices\":[{\"lent\":{}}]"),
                ("\"unconfirmed\":[]", "\"unconfirmed\":[\"no base64!\"]"),
            ] {
                #expect(text.contains(old))
                damages.append(Data(text.replacing(old, with: new).utf8))
            }
            damages.append(Data(String(repeating: "[", count: 100_000).utf8))
            for damage in damages {
                try damage.write(to: URL(filePath: path))
                let error = #expect(throws: WalletFile.Unreadable.self, "\(damage.count)") {
                    try WalletFile(path: path).load()
                }
                #expect(error?.description == "\(path) is no wallet of this version; name another file")
                #expect(try Data(contentsOf: URL(filePath: path)) == damage)
            }
            // 65 MiB of nothing take no room on the disk, and none in memory.
            truncate(path, 65 << 20)
            #expect(throws: PrivateFiles.Failure.tooLong(path, limit: 64 << 20)) { try WalletFile(path: path).load() }
        }
    }

    @Test("A wallet that cannot be written stays what it was, and nothing half written is left")
    func unwritable() throws {
        try run {
            let bytes = try make()
            // What is in the way of the new file cannot be removed.
            mkdir(path + ".new", 0o700)
            #expect(throws: WalletFile.Unwritable.self) { try WalletFile(path: path).save(Wallet()) }
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            rmdir(path + ".new")
            try WalletFile(path: path).save(Wallet())
            #expect(try WalletFile(path: path).load() == Wallet())
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                    "ben.wallet", "ben.wallet.lock",
                ]
            )
        }
    }
}

@Suite("A folder of photos that another program has changed")
struct PhotoFolderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID())").path
    private let photo = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    private func file() throws -> String {
        folder + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first))
    }

    @Test(
        "What others could write, links, folders and files that are too long count for nothing, and nothing behind them is changed"
    )
    func meddled() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let description = PhotoFile(photo).description
        PhotoFolder(path: folder).write(photo, at: 0, of: description)
        let file = try file()
        #expect(PhotoFolder(path: folder).load(description) == photo)
        chmod(file, 0o666)
        #expect(PhotoFolder(path: folder).load(description).isEmpty)
        chmod(file, 0o600)
        truncate(file, 5_001)
        #expect(PhotoFolder(path: folder).load(description).isEmpty)
        // 1 TiB of nothing.
        truncate(file, 1 << 40)
        #expect(PhotoFolder(path: folder).load(description).isEmpty)
        unlink(file)
        let precious = folder + ".precious"
        defer { unlink(precious) }
        try Data("precious".utf8).write(to: URL(filePath: precious))
        chmod(precious, 0o600)
        symlink(precious, file)
        let store = PhotoFolder(path: folder)
        #expect(store.load(description).isEmpty)
        store.write(photo, at: 0, of: description)
        #expect(try Data(contentsOf: URL(filePath: precious)) == Data("precious".utf8))
        unlink(file)
        mkdir(file, 0o700)
        #expect(PhotoFolder(path: folder).load(description).isEmpty)
    }

    @Test("A photo that says it is as long as a number can be traps nothing")
    func longest() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let description = PhotoDescription(length: .max, digest: Data(count: 32))
        let store = PhotoFolder(path: folder)
        store.write(photo, at: 0, of: description)
        #expect(PhotoFolder(path: folder).load(description) == photo)
    }

    @Test("A folder that others may enter gets no photos")
    func openFolder() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        mkdir(folder, 0o700)
        chmod(folder, 0o755)
        let description = PhotoFile(photo).description
        PhotoFolder(path: folder).write(photo, at: 0, of: description)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
