import RadioMedium

/// What a world's queue holds; kept small, since the heap moves it about.
enum WorldEvent {
    /// A device's appointment; out of date if it has made another since.
    case appointment(DeviceID, generation: UInt32)
    /// A frame's last bit.
    case transmissionEnd(number: UInt32)
    /// The end of a listening window; out of date if the radio does something else by now.
    case listeningEnd(RadioID, generation: UInt32)
    /// An order of the scenario's.
    case order(number: UInt32)
}
