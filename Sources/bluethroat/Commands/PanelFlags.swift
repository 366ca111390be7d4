import ArgumentParser
import ControlPanel
import Foundation
import HCITransports

/// Where the control panel is served, if at all.
struct PanelFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the control panel is served (default: 127.0.0.1:6480); port 0 picks one. Beyond this machine a token "
                + "is needed, which is part of the address that is printed.",
            valueName: "host:port"
        ),
        transform: { try HostPort(parsing: $0) }
    )
    var panelListen: HostPort?

    @Flag(help: "Serve no control panel.")
    var noPanel = false

    func validate() throws {
        if noPanel, panelListen != nil {
            throw ValidationError("--no-panel and --panel-listen contradict each other; leave one out")
        }
    }

    /// Nil where there is to be no panel.
    var panel: PanelWish? {
        guard !noPanel else { return nil }
        let address = panelListen.map { PanelAddress(host: $0.host, port: UInt16(clamping: $0.port)) } ?? PanelAddress()
        return PanelWish(address: address, isExplicit: panelListen != nil)
    }
}

/// A panel that is to be served.
struct PanelWish: Sendable {
    var address: PanelAddress
    /// Whether somebody has asked for this very address: then it is that one or none.
    var isExplicit: Bool

    /// What visitors from elsewhere have to show, drawn anew each time.
    var token: String? {
        guard !address.isLoopback else { return nil }
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
    }
}
