import CoreBluetooth

/// Libraries wrap this once for all objects and properties.
final class PropertyWatch<Entity: NSObject, Value>: NSObject {
    private var observation: NSKeyValueObservation?

    init(_ entity: Entity, _ property: KeyPath<Entity, Value>, perform: @escaping (Value) -> Void) {
        super.init()
        observation = entity.observe(property) { entity, _ in perform(entity[keyPath: property]) }
    }
}
