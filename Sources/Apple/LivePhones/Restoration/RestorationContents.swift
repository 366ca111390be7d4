import Foundation

/// What a process leaves of its peripheral managers, as the file has it.
struct RestorationContents: Codable, Equatable {
    /// Why the bytes cannot be used.
    enum Fault: Error, Equatable {
        case foreign, otherRelease
        /// A manager has impossible values; `reason` completes a sentence that names the file.
        case impossible(reason: String)
    }

    private static let longest = 1 << 20

    private(set) var version = 1
    var peripheralManagers: [KeptManager] = []

    init() {}

    init(parsing data: Data) throws(Fault) {
        guard data.count <= Self.longest, let contents = try? JSONDecoder().decode(Self.self, from: data) else {
            throw .foreign
        }
        guard contents.version == 1 else { throw .otherRelease }
        for manager in contents.peripheralManagers {
            do throws(KeptManager.Fault) { _ = try manager.restoration() } catch {
                throw .impossible(reason: error.reason)
            }
        }
        self = contents
    }

    var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self)
        }
    }
}
