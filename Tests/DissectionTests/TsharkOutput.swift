import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What tshark finds in a capture: for each packet its fields, whatever their depth.
final class TsharkOutput: NSObject, XMLParserDelegate {
    struct Field {
        let name: String
        let position: Int
        let size: Int
        /// As tshark shows it: a decimal or hexadecimal number, an address, bytes.
        let show: String
        /// Hexadecimal digits of the bytes, or of the number if the field is a part of an octet.
        let value: String
    }

    private(set) var packets: [[Field]] = []

    /// Where tshark is; nil where it is not installed.
    static let program = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    init(capture: [UInt8]) throws {
        super.init()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dissection-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("capture.pcapng"),
            output = folder.appendingPathComponent("packets.xml")
        try Data(capture).write(to: file)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program ?? "tshark")
        process.arguments = ["-n", "-r", file.path, "-T", "pdml"]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let parser = XMLParser(data: try Data(contentsOf: output))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if element == "packet" { packets.append([]) }
        guard element == "field", !packets.isEmpty, let position = attributes["pos"].flatMap({ Int($0) }),
            let size = attributes["size"].flatMap({ Int($0) }), size > 0
        else { return }
        packets[packets.count - 1].append(
            Field(
                name: attributes["name"] ?? "",
                position: position,
                size: size,
                show: attributes["show"] ?? "",
                value: attributes["value"] ?? ""
            )
        )
    }
}
