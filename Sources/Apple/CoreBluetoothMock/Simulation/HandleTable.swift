import BluethroatBluetoothValues
import BluethroatHost

/// What stands at which handle of a simulated device, for the thread of the air and for those of apps.
final class HandleTable: Sendable {
    struct Entry {
        let service: CBMServiceMock
        let range: ClosedRange<AttributeHandle>
    }

    private struct State {
        var services: [Entry] = []
        var attributes: [UInt16: CBMAttribute] = [:]
        var faults: [UInt16: any Error] = [:]
    }

    private let state = Locked(State())

    func add(_ service: CBMServiceMock, at handles: ServiceHandles) {
        state.withLock { state in
            state.services.append(Entry(service: service, range: handles.range))
            state.attributes[handles.range.lowerBound.rawValue] = service
            for (characteristic, place) in zip(service.mockCharacteristics, handles.characteristics) {
                state.attributes[place.value.rawValue] = characteristic
                for (descriptor, handle) in zip(characteristic.mockDescriptors, place.descriptors) {
                    state.attributes[handle.rawValue] = descriptor
                }
            }
        }
    }

    /// Takes a service out; nil if it is not there.
    func remove(_ service: CBMServiceMock) -> AttributeHandle? {
        state.withLock { state in
            guard let index = state.services.firstIndex(where: { $0.service === service }) else { return nil }
            let range = state.services.remove(at: index).range
            for handle in range.lowerBound.rawValue...range.upperBound.rawValue { state.attributes[handle] = nil }
            return range.lowerBound
        }
    }

    /// In the order in which they were added.
    var services: [CBMServiceMock] { state.withLock { $0.services.map(\.service) } }

    /// Whether an attribute is one of the specification.
    func names(_ handle: UInt16) -> Bool { state.withLock { $0.attributes[handle] != nil } }

    func attribute(_ handle: UInt16) -> CBMAttribute? { state.withLock { $0.attributes[handle] } }

    /// The handle of a characteristic's value: the first, if a specification has it more than once. Nil if it is none of the
    /// device's.
    func handle(of characteristic: CBMCharacteristicMock) -> AttributeHandle? {
        let handles = state.withLock { $0.attributes.filter { $0.value === characteristic }.keys }
        return handles.min().flatMap(AttributeHandle.init(rawValue:))
    }

    // MARK: Errors that no packet can say

    func keepFault(_ fault: any Error, of handle: UInt16) { state.withLock { $0.faults[handle] = fault } }

    func forgetFaults() { state.withLock { $0.faults = [:] } }

    func takeFault(of handle: UInt16) -> (any Error)? { state.withLock { $0.faults.removeValue(forKey: handle) } }
}
