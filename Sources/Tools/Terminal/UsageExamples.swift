/// What stands at the end of each command's help: lines that can be typed as they are.
package enum UsageExamples {
    /// By the words of a command behind `bluethroat`.
    package static let all: KeyValuePairs<String, [String]> = [
        "": ["bluethroat keyfob --seed 1", "bluethroat scan"],
        "keyfob": ["bluethroat keyfob --seed 1 --capture air.pcapng", "bluethroat keyfob --personality phone"],
        "scan": ["bluethroat scan --timeout 10", "bluethroat scan Keyfobdemo"],
        "inspect": ["bluethroat inspect Keyfobdemo"],
        "read": ["bluethroat read Keyfobdemo 2A19"],
        "write": ["bluethroat write Keyfobdemo 1802/2A06 2 --number --without-response"],
        "subscribe": [
            "bluethroat subscribe Keyfobdemo FFE1 --count 10",
            "bluethroat subscribe Keyfobdemo FFA3 FFA4 FFA5 --write FFA1=01",
        ],
        "pair": ["bluethroat pair Keyfobdemo --passkey 0 --bond"],
        "bonds": ["bluethroat bonds list"],
        "bonds list": ["bluethroat bonds list --json"],
        "bonds remove": ["bluethroat bonds remove 78:C5:E5:9B:76:0D", "bluethroat bonds remove --all"],
        "bonds export": ["bluethroat bonds export --keys --output bonds.json"],
        "l2cap": ["bluethroat l2cap listen --name Printer"],
        "l2cap listen": ["bluethroat l2cap listen --name Printer --no-input > photo.jpg"],
        "l2cap connect": ["bluethroat l2cap connect Printer --psm 0x0080 < photo.jpg"],
        "attach": ["sudo bluethroat attach --vhci --devices 2", "bluethroat attach --pty /tmp/hci"],
        "overflow": ["bluethroat overflow demo --phones 2"],
        "overflow demo": ["bluethroat overflow demo --phones 3 --payload 0102"],
        "overflow analyse": ["bluethroat overflow analyse --timeout 10"],
        "overflow encode": [
            "bluethroat overflow encode --payload 0102", "bluethroat overflow encode --service 180D",
        ],
        "overflow decode": ["bluethroat overflow decode 558040C0200000000000000000000000"],
        "overflow study": ["bluethroat overflow study --phones 50,100,200,400 --svg phones.svg"],
        "sensortag": ["bluethroat sensortag --motion turning"],
        "ibeacon": [
            "bluethroat ibeacon --uuid 5A4BCFCE-174E-4BAC-A814-092E77F6B7E5 --major 1 --minor 2"
        ],
        "text": ["bluethroat text demo"],
        "text serve": ["bluethroat text serve"],
        "text connect": ["bluethroat text connect --send \"hello\""],
        "text demo": ["bluethroat text demo"],
        "desk": ["bluethroat desk --id 4711 --users users", "bluethroat desk demo --fast --seed 1"],
        "desk run": ["bluethroat desk run --id 4711 --users users --with-phone"],
        "desk add-user": ["bluethroat desk add-user alice --users users"],
        "desk remove-user": ["bluethroat desk remove-user alice --users users"],
        "desk list-users": ["bluethroat desk list-users --users users"],
        "desk demo": ["bluethroat desk demo --desks 10 --people 10 --fast"],
        "desk verify-log": ["bluethroat desk verify-log --id 4711 --log desk.log"],
        "login": ["bluethroat login --id 4711 --user alice --password-file password"],
        "moneydrop": ["bluethroat moneydrop demo --people 4"],
        "moneydrop receive": ["bluethroat moneydrop receive --name Anna"],
        "moneydrop send": ["bluethroat moneydrop send --to Anna --amount 12.50"],
        "moneydrop demo": ["bluethroat moneydrop demo --people 2 --evening 12.50 --for 60 --fast"],
        "moneydrop bank": ["bluethroat moneydrop bank --books bank.sqlite"],
        "study": ["bluethroat study Examples/Studies/discovery.yaml --svg discovery.svg"],
    ]

    /// Help with the examples of its command behind it. Whose command is said by the line that begins with `USAGE: bluethroat`;
    /// a text without that line is left as it is.
    package static func added(to help: String) -> String {
        let usage = "USAGE: bluethroat"
        guard let line = help.split(separator: "\n").first(where: { $0.hasPrefix(usage) }) else { return help }
        let words = line.dropFirst(usage.count).split(separator: " ")
        let command = words.prefix { $0.first?.isLowercase == true }.joined(separator: " ")
        guard let examples = all.first(where: { $0.key == command })?.value else { return help }
        var text = help[...]
        while text.last == "\n" { text.removeLast() }
        return String(text) + (examples.count > 1 ? "\n\nEXAMPLES:" : "\n\nEXAMPLE:")
            + examples.map { "\n  " + $0 }.joined()
    }
}
