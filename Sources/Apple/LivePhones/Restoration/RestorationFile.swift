import BluethroatPrivateFiles
import Foundation
import Synchronization

/// The file in which a process keeps what its peripheral managers want to be restored, for the next process.
final class RestorationFile: Sendable {
    private struct State {
        var content: RestorationContents
        /// Managers that have been made, by identifier.
        var used: [String] = []
        var hasFailed = false
    }

    private let path: String
    private let state: Mutex<State>

    /// Reads what is there, and makes the file if there is none.
    ///
    /// - Throws: if it cannot be read or written, is open to other users or theirs, or is no such file.
    init(_ path: String) throws(ProcessSettingsError) {
        self.path = path
        state = Mutex(State(content: try Self.read(path)))
        if let fault = state.withLock({ write($0.content) }) { throw Self.fault("it cannot be written: \(fault)") }
    }

    /// What an earlier process has left for a manager, which is empty if that is nothing; nil if another manager of this
    /// process has the identifier already.
    func take(_ identifier: String) -> KeptManager? {
        state.withLock { state in
            guard !state.used.contains(identifier) else { return nil }
            state.used.append(identifier)
            let left = state.content.peripheralManagers.first { $0.identifier == identifier }
            return left ?? KeptManager(identifier: identifier)
        }
    }

    /// Keeps what a manager wants.
    func keep(_ manager: KeptManager) {
        state.withLock { state in
            state.content.peripheralManagers.removeAll { $0.identifier == manager.identifier }
            if !manager.isEmpty { state.content.peripheralManagers.append(manager) }
            guard let fault = write(state.content) else { return }
            if !state.hasFailed { AirLog.fail("BLUETHROAT_RESTORATION: it cannot be written: \(fault)") }
            state.hasFailed = true
        }
    }

    /// A manager is gone: it wants nothing any more, and another one may have its identifier.
    func forget(_ identifier: String) {
        keep(KeptManager(identifier: identifier))
        state.withLock { state in state.used.removeAll { $0 == identifier } }
    }

    /// The file is always the old one or the new one, whenever the process is killed. Why it cannot be written; nil if it
    /// was.
    private func write(_ contents: RestorationContents) -> String? {
        do {
            try PrivateFiles.replace(URL(fileURLWithPath: path), with: try contents.data)
            return nil
        } catch { return "\(error)" }
    }

    private static func read(_ path: String) throws(ProcessSettingsError) -> RestorationContents {
        let found: Data?
        do throws(PrivateFiles.Failure) { found = try PrivateFiles.read(URL(fileURLWithPath: path)) } catch {
            throw fault("\(error)")
        }
        guard let found else { return RestorationContents() }
        do throws(RestorationContents.Fault) { return try RestorationContents(parsing: found) } catch {
            switch error {
            case .foreign: throw fault("\(path) is no file of restored managers; remove it, or name another")
            case .otherRelease: throw fault("\(path) is of another release; remove it, or name another")
            case .impossible(let reason): throw fault("in \(path) \(reason); remove it, or name another")
            }
        }
    }

    private static func fault(_ reason: String) -> ProcessSettingsError {
        ProcessSettingsError(description: "BLUETHROAT_RESTORATION: \(reason)")
    }
}
