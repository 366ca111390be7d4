import ArgumentParser
import BluethroatControlPanel
import BluethroatHCITransports
import BluethroatLive
import Foundation

/// Where the control panel is served, if at all.
struct PanelFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the control panel is served (default: 127.0.0.1:6480); port 0 picks one. The address that is printed "
                + "has a token in it, without which nothing is answered.",
            valueName: "host:port"
        ),
        transform: { try HostPort(parsing: $0) }
    )
    var panelListen: HostPort?

    @Option(
        file: "Have the panel's token in this file, mode 0600, so that its address stays the same; the file is made if "
            + "there is none. The variable \(PanelToken.variable) can have a token instead."
    )
    var panelTokenFile: String?

    @Flag(help: "Serve no control panel.")
    var noPanel = false

    func validate() throws {
        if noPanel, panelListen != nil {
            throw ValidationError("--no-panel and --panel-listen contradict each other; leave one out")
        }
    }

    /// Nil where there is to be no panel.
    var panel: PanelSettings? {
        guard !noPanel else { return nil }
        let address = panelListen.map { PanelAddress(host: $0.host, port: UInt16(clamping: $0.port)) } ?? PanelAddress()
        return PanelSettings(address: address, isExplicit: panelListen != nil, tokenFile: panelTokenFile)
    }
}
