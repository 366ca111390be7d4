import Foundation

/// The files of the panel's page, read once.
struct Pages: Sendable {
    struct Page: Sendable {
        let bytes: Data
        let type: String
        let tag: String
    }

    private let pages: [String: Page]

    /// Those that came with the module; nil if they are in none of the places where they may be.
    static func bundled() -> Pages? {
        for folder in places(of: executable) {
            let pages = Pages(in: folder)
            if pages["/"] != nil { return pages }
        }
        return nil
    }

    /// Where the pages may be of the program that is this file: beside it, as a build and `make install` put them. Never in
    /// the folder of the build that this program was taken from, where `Bundle.module` would look, too: others may write
    /// there by now.
    static func places(of executable: URL) -> [URL] {
        let folder = executable.deletingLastPathComponent()
        return ["resources", "bundle"].map {
            folder.appendingPathComponent("bluethroat_BluethroatControlPanel.\($0)/Pages")
        }
    }

    /// The file of this program, behind all links to it.
    private static var executable: URL {
        #if os(Linux) || os(Android)
            if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                return URL(fileURLWithPath: path)
            }
        #endif
        return (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath()
    }

    init(in folder: URL?) {
        var pages: [String: Page] = [:]
        let base = folder?.path ?? ""
        for name in FileManager.default.enumerator(atPath: base)?.compactMap({ $0 as? String }) ?? [] {
            guard let type = Self.types[(name as NSString).pathExtension],
                let bytes = FileManager.default.contents(atPath: base + "/" + name)
            else { continue }
            pages["/" + name] = Page(bytes: bytes, type: type, tag: Self.fingerprint(bytes))
        }
        pages["/"] = pages["/index.html"]
        self.pages = pages
    }

    subscript(path: String) -> Page? { pages[path] }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json", "png": "image/png", "ico": "image/x-icon",
        "webmanifest": "application/manifest+json",
    ]

    /// FNV-1a: distinguishes versions of a file, nothing else.
    private static func fingerprint(_ bytes: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}
