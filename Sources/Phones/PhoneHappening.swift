public import PhoneService

/// Something that passes between the apps of a phone and its Bluetooth service.
public enum PhoneHappening: Sendable {
    case ordered(SessionOrder)
    case told([SessionNews])
}
