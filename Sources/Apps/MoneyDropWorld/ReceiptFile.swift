package import BluethroatMoneyTerms
package import BluethroatPrivateFiles
import Foundation

/// Where receipts are printed: one file each, for its owner alone, and never over another one.
public struct ReceiptFile: Hashable, Sendable {
    /// The first one's; those that follow are `anna-2.svg`, `anna-3.svg` …
    public let path: String
    private let isPicture: Bool

    /// - Throws: `Unusable`, for a name that says neither text nor SVG, or that is in no folder that can be written to.
    public init(_ path: String) throws(Unusable) {
        let end = NSString(string: path).pathExtension.lowercased()
        guard end == "txt" || end == "svg" else {
            throw Unusable(description: "\(path) has to end in .txt or .svg, so that it is clear how to print")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
            FileManager.default.isWritableFile(atPath: folder)
        else {
            throw Unusable(description: "\(path) cannot be made; name a file in a folder that can be written to")
        }
        self.path = path
        isPicture = end == "svg"
    }

    /// Why there are no receipts in a file.
    public struct Unusable: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Prints a receipt. Returns the path of its file, which was not there before.
    ///
    /// - Throws: one line that says what is wrong, such as that the disk is full; then there is no file.
    package func write(_ receipt: PrintedReceipt) throws(PrivateFiles.Failure) -> String {
        let bytes = Data((isPicture ? receipt.svg : receipt.text).utf8)
        let end = NSString(string: path).pathExtension, start = NSString(string: path).deletingPathExtension
        for number in 1...Self.limit {
            let name = number == 1 ? path : "\(start)-\(number).\(end)"
            do throws(PrivateFiles.Failure) {
                try PrivateFiles.create(URL(fileURLWithPath: name), with: bytes)
                return name
            } catch .exists {}
        }
        throw .exists(path)
    }

    /// So many files of one name.
    private static let limit = 10_000
}
