// Objects of CoreBluetooth are logged with `%@`; elsewhere every object can be, here it has to be said.

extension CBUUID: _CVarArgObject {}
extension CBManager: _CVarArgObject {}
extension CBPeer: _CVarArgObject {}
extension CBAttribute: _CVarArgObject {}
extension CBATTRequest: _CVarArgObject {}
extension CBL2CAPChannel: _CVarArgObject {}

// And Foundation's that are logged beside them.
extension NSArray: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSData: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSDate: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSDictionary: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSError: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSNumber: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSSet: @retroactive _CVarArgObject, @retroactive CVarArg {}
extension NSUUID: @retroactive _CVarArgObject, @retroactive CVarArg {}

extension _CVarArgObject where Self: NSObject {
    /// The description, which is what `%@` prints.
    public var _cVarArgObject: any CVarArg { description as NSString }

    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}
