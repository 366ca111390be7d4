// Objects of CoreBluetooth are logged with `%@`; elsewhere every object can be, here it has to be said.

extension CBUUID: _CVarArgObject {}
extension CBManager: _CVarArgObject {}
extension CBPeer: _CVarArgObject {}
extension CBAttribute: _CVarArgObject {}
extension CBATTRequest: _CVarArgObject {}
extension CBL2CAPChannel: _CVarArgObject {}

extension _CVarArgObject where Self: NSObject {
    /// The description, which is what `%@` prints.
    public var _cVarArgObject: any CVarArg { description as NSString }

    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}
