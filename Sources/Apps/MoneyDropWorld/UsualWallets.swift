import BluethroatBondDatabase
import BluethroatByteCoding
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPrivateFiles
import Foundation

/// Where a user's wallets are by default: `bluethroat/moneydrop` in $XDG_STATE_HOME or ~/.local/state, a folder for
/// each bank, and a file for each name.
enum UsualWallets {
    /// The wallet of this name at this bank that no other process has: where a command has it already, the next one.
    /// Nil if there is nowhere to keep it.
    ///
    /// - Parameter transfer: what is to be sent, if anything: the wallet from which an earlier run may have sent it already is
    ///   the only one that will do, since no other one knows of that.
    /// - Throws: what is wrong with the wallet, or with its folder, in one line.
    static func wallet(
        of name: String,
        at bank: BankKey,
        for transfer: MoneyWorld.Transfer?
    ) throws -> WalletFile? {
        guard let bonds = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            return nil
        }
        let folder = URL(filePath: bonds).deletingLastPathComponent()
            .appending(path: "moneydrop/\([UInt8](bank.bytes.prefix(8)).hex)")
        try PrivateFiles.makeFolder(folder)
        let files = (1...100).map { number in
            let suffix = number == 1 ? "" : "-\(number)"
            return WalletFile(path: folder.appending(path: "\(fileName(name))\(suffix).wallet").path)
        }
        if let transfer, !transfer.isAgain {
            let awaiting = files.compactMap { file in
                file.look()?.recipient(ofAwaited: transfer.amount, to: transfer.to).map { (file, $0) }
            }
            // As it is written comes first.
            if let (file, _) = awaiting.first(where: { $0.1 == transfer.to }) ?? awaiting.first {
                do { _ = try file.load() } catch is WalletFile.InUse { throw UnderWay(path: file.path) }
                return file
            }
        }
        for file in files {
            do {
                _ = try file.load()
                return file
            } catch is WalletFile.InUse {
                continue
            }
        }
        return nil
    }

    /// A transfer goes on in its own wallet alone, and another process has that.
    private struct UnderWay: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "such a transfer is not at its end, and another MoneyDrop has its wallet, \(path); end that one first, or "
                + "send another one with --again"
        }
    }

    /// Names may have slashes and anything else.
    private static func fileName(_ name: String) -> String {
        name.utf8.map { byte in
            let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || (48...57).contains(byte))
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte].hex
        }.joined()
    }
}
