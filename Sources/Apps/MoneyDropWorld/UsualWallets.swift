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
    /// - Throws: what is wrong with the wallet, or with its folder, in one line.
    static func wallet(of name: String, at bank: BankKey) throws -> WalletFile? {
        guard let bonds = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            return nil
        }
        let folder = URL(filePath: bonds).deletingLastPathComponent()
            .appending(path: "moneydrop/\([UInt8](bank.bytes.prefix(8)).hex)")
        try PrivateFiles.makeFolder(folder)
        for number in 1...100 {
            let suffix = number == 1 ? "" : "-\(number)"
            let file = WalletFile(path: folder.appending(path: "\(fileName(name))\(suffix).wallet").path)
            do {
                _ = try file.load()
                return file
            } catch is WalletFile.InUse {
                continue
            }
        }
        return nil
    }

    /// Names may have slashes and anything else.
    private static func fileName(_ name: String) -> String {
        name.utf8.map { byte in
            let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || (48...57).contains(byte))
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte].hex
        }.joined()
    }
}
