public import BluethroatControlPanel
package import BluethroatEvents
import Foundation

/// A control panel that is to be served.
public struct PanelSettings: Sendable {
    /// Where it is served; port 0 picks a free one.
    public var address: PanelAddress
    /// Whether it is this very address or none; else a session whose port is taken goes on without a panel.
    public var isExplicit: Bool
    /// The file that has its token, mode 0600, made if there is none; nil for another token each time, or that of the
    /// variable BLUETHROAT_PANEL_TOKEN.
    public var tokenFile: String?

    /// By default at 127.0.0.1:6480, or nowhere if that port is taken.
    public init(address: PanelAddress = PanelAddress(), isExplicit: Bool = false, tokenFile: String? = nil) {
        self.address = address
        self.isExplicit = isExplicit
        self.tokenFile = tokenFile
    }

    /// What each request has to show.
    package func token() throws(OperationFailure) -> String {
        if let tokenFile { return try PanelToken.kept(in: tokenFile) }
        return try PanelToken.given(ProcessInfo.processInfo.environment) ?? PanelToken.drawn()
    }
}
