import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import Foundation
import Testing

@Suite("Files with receipts")
struct ReceiptFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "receipts-\(UUID())").path

    private func run(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func receipt() throws -> PrintedReceipt {
        let key = BankSigningKey(), amount = Money(minorUnits: 1, .euro)
        let content = Receipt.Content(transfer: UUID(), token: UUID(), amount: amount, time: 0, payer: "Ben")
        return try PrintedReceipt(Receipt(signing: content, with: key).bytes, to: "Anna", from: key.publicKey)
    }

    @Test("Each receipt is a file of its own, for its owner alone; none is written over")
    func several() throws {
        try run {
            let file = try ReceiptFile(folder + "/ben.v1.txt")
            let receipts = try [receipt(), receipt(), receipt()]
            let paths = try receipts.map { try file.write($0) }
            #expect(paths == ["/ben.v1.txt", "/ben.v1-2.txt", "/ben.v1-3.txt"].map { folder + $0 })
            for (path, receipt) in zip(paths, receipts) {
                #expect(try String(contentsOfFile: path, encoding: .utf8) == receipt.text)
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            }
            let picture = try ReceiptFile(folder + "/ben.SVG")
            #expect(try String(contentsOfFile: picture.write(receipts[0]), encoding: .utf8) == receipts[0].svg)
        }
    }

    @Test("A name that says no kind, and a folder that is not there, are refused before anything is paid")
    func refused() throws {
        try run {
            for name in ["/ben", "/ben.pdf", "/none/ben.txt", "/.svg/ben.svg"] {
                let error = #expect(throws: ReceiptFile.Unusable.self) { try ReceiptFile(folder + name) }
                #expect(error?.description.contains("\n") == false && error?.description.contains(name) == true)
            }
        }
    }

    @Test("What cannot be written is one line, and leaves no file")
    func unwritable() throws {
        var file: ReceiptFile?
        try run { file = try ReceiptFile(folder + "/ben.txt") }
        let receipt = try receipt()
        let error = #expect(throws: (any Error).self) { try file?.write(receipt) }
        #expect(error.map { "\($0)" }?.contains(folder) == true)
    }
}
