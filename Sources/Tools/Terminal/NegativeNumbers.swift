/// Negative numbers on a command line, which look like options.
public enum NegativeNumbers {
    /// Joins each negative number with the long option in front of it: `--amount -3` becomes `--amount=-3`. What comes
    /// after `--` stays.
    public static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        var isOver = false
        for argument in arguments {
            isOver = isOver || argument == "--"
            if !isOver, isNegative(argument), let option = joined.last, option.hasPrefix("--"), !option.contains("=") {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    /// A hyphen, and then a digit, or a point and a digit.
    private static func isNegative(_ text: String) -> Bool {
        var rest = text.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "-") else { return false }
        if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
        return rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
