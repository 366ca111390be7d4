import RadioMedium

/// What a world's queue holds; kept small, since the heap moves it about.
enum WorldEvent {
    /// A device's appointment; perhaps earlier than needed by now.
    case appointment(DeviceID)
    /// A frame's last bit.
    case transmissionEnd(number: UInt32)
    /// The end of a listening window; out of date if the radio does something else by now.
    case listeningEnd(RadioID, generation: UInt32)
    /// An order of the scenario's.
    case order(number: UInt32)
}
