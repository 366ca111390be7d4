public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// What a command returns in Command Complete; the status comes first in all of them.
public protocol ReturnParameters: FieldDescribed, Hashable, Sendable {
    var status: ControllerError { get }

    /// Reads the return parameters from the front of a span.
    init(parsing bytes: inout RawSpan) throws(DecodeError)

    /// Appends the return parameters.
    func write(to out: inout [UInt8])
}

extension ReturnParameters {
    /// The return parameters as Command Complete carries them.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }
}
