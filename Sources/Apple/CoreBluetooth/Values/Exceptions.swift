/// Stops the process with the words of the exception that Apple's framework raises in this case. Swift cannot catch
/// one there, so here there is nothing to catch either.
func raise(_ reason: String) -> Never {
    fatalError(
        "*** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: '\(reason)'"
    )
}

/// Bytes as Apple's systems print them in messages: `<0a0b0c0d 0e>`.
func hexadecimal(_ data: Data) -> String {
    var text = "<"
    for (index, byte) in data.enumerated() {
        if index > 0, index % 4 == 0 { text += " " }
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text + ">"
}

/// Bytes as Apple's systems print a value: `{length = 2, bytes = 0x0a0b}`, or `(null)`.
func valueDescription(_ data: Data?) -> String {
    guard let data else { return "(null)" }
    let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "{length = \(data.count), bytes = 0x\(digits)}"
}

/// `<CBPeripheral: 0x600…, …>`: an object as Apple's systems print it.
func objectDescription(_ object: AnyObject, _ details: String...) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let parts = ["\(type(of: object)): 0x" + String(address, radix: 16)] + details
    return "<" + parts.joined(separator: ", ") + ">"
}
