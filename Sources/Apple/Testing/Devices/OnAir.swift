/// A property of a simulated peripheral that is read and written where the peripheral is, on whichever thread that is.
@propertyWrapper
public struct OnAir<Value> {
    private var value: Value

    public init(wrappedValue: Value) { value = wrappedValue }

    /// Only the form below is used: a property of a peripheral.
    @available(*, unavailable, message: "only a property of a SimulatedPeripheral can be @OnAir")
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    public static subscript<Owner: SimulatedPeripheral>(
        _enclosingInstance owner: Owner,
        wrapped property: ReferenceWritableKeyPath<Owner, Value>,
        storage storage: ReferenceWritableKeyPath<Owner, Self>
    ) -> Value {
        get { owner.enter { owner[keyPath: storage].value } }
        set { owner.enter { owner[keyPath: storage].value = newValue } }
    }
}
