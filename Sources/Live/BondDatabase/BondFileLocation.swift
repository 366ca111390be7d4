internal import Foundation

/// Where a user's bonds are kept by default.
public enum BondFileLocation {
    /// `$XDG_STATE_HOME/bluethroat/bonds.sqlite`, or `~/.local/state/bluethroat/bonds.sqlite`; nil for a user without a
    /// home. A relative XDG_STATE_HOME is ignored, as the XDG Base Directory Specification prescribes.
    public static func standard(environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + file }
        guard let home = environment["HOME"].flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? homeOfUser else { return nil }
        return home + "/.local/state" + file
    }

    private static let file = "/bluethroat/bonds.sqlite"

    private static var homeOfUser: String? {
        guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
        let text = String(cString: home)
        return text.hasPrefix("/") ? text : nil
    }
}
