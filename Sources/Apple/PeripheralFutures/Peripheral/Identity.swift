// In BlueCap these are objects of Foundation's, which can be compared and put into sets: each is equal to itself alone.

extension MutableService: Hashable {
    public static func == (left: MutableService, right: MutableService) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableCharacteristic: Hashable {
    public static func == (left: MutableCharacteristic, right: MutableCharacteristic) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
