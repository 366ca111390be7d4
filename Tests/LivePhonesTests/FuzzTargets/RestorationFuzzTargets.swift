import BluethroatPhoneService
import Foundation
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatLivePhones

/// The file in which a process leaves what its managers have published, with any contents: the next process takes it, and
/// keeps it as the same, or refuses it in one line.
enum RestorationFuzzTargets {
    static let all = [contents, files]

    static let contents = FuzzTarget(decoder: "restorations", upTo: 1_200) { bytes in
        do throws(RestorationContents.Fault) {
            let contents = try RestorationContents(parsing: Data(bytes))
            for manager in contents.peripheralManagers { check(manager) }
            let again = try RestorationContents(parsing: written(contents))
            hold(again == contents, "what was written is another")
        } catch {
            guard case .impossible(let reason) = error else { return }
            hold(reason.firstUnshown == nil && !reason.isEmpty, "\(reason.debugDescription) is said")
        }
    }

    private static func written(_ contents: RestorationContents) -> Data {
        do { return try contents.data } catch { preconditionFailure("what was read cannot be written: \(error)") }
    }

    static let files = FuzzTarget(file: "restoration-files", upTo: 1_200) { bytes in
        let path = fuzzFolder.appendingPathComponent("bluethroat-fuzz-\(getpid()).restoration").path
        func remove() { for path in [path, path + ".new"] { unlink(path) } }
        remove()
        defer { remove() }
        let isThere = FileManager.default.createFile(
            atPath: path,
            contents: Data(bytes),
            attributes: [.posixPermissions: 0o600]
        )
        hold(isThere, "there is no room for \(path)")
        do throws(ProcessSettingsError) {
            let managers = try managers(path, bytes)
            hold(try Self.managers(path, nil) == managers, "what was written is another")
            for manager in managers { check(manager) }
        } catch {
            let line = error.description
            hold(line.contains(path) && line.firstUnshown == nil, "\(line.debugDescription) is said")
            hold(FileManager.default.contents(atPath: path) == Data(bytes), "what is refused was changed")
        }
    }

    /// What a process finds for the managers that the file names; a second one of the same name finds nothing.
    ///
    /// - Parameter bytes: what the file holds; nil for what a process has written.
    private static func managers(_ path: String, _ bytes: [UInt8]?) throws(ProcessSettingsError) -> [KeptManager] {
        let contents = bytes.map { Data($0) } ?? FileManager.default.contents(atPath: path) ?? Data()
        let file = try RestorationFile(path)
        guard let names = try? JSONDecoder().decode(Names.self, from: contents).peripheralManagers.map(\.identifier)
        else {
            hold(false, "a file is taken that has no managers")
            return []
        }
        let managers = names.compactMap { file.take($0) }
        hold(managers.map(\.identifier) == names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        return managers
    }

    private struct Names: Decodable {
        struct Manager: Decodable { var identifier: String }

        var peripheralManagers: [Manager]
    }

    /// What a manager is told, it can order again, and that is kept as the same.
    private static func check(_ manager: KeptManager) {
        do throws(KeptManager.Fault) {
            let told = try manager.restoration()
            let again = KeptManager(
                identifier: manager.identifier,
                services: told.services.map { KeptManager.Service($0) },
                advertisement: told.advertisement.flatMap { KeptManager.Advertisement($0) }
            )
            let twice = try again.restoration()
            hold(twice.services.map { KeptManager.Service($0) } == again.services, "a service is kept as another")
            hold(twice.advertisement.flatMap { KeptManager.Advertisement($0) } == again.advertisement)
            hold(again.services.map(\.number) == manager.services.map(\.number), "a service is lost")
            hold(again.services.map(\.characteristics.count) == manager.services.map(\.characteristics.count))
            hold((again.advertisement == nil) == (manager.advertisement == nil), "an advertisement is lost")
        } catch { hold(false, "a file is taken in which \(error.reason)") }
    }
}
