import BluethroatRadioMedium

/// What a world's queue holds; small, since the heap moves it.
enum WorldEvent {
    /// A device's timers are looked at; perhaps none of them has run out.
    case wakeUp(DeviceID)
    /// A frame's last bit.
    case transmissionEnd(number: UInt32)
    /// The end of a listening window; out of date if the radio does something else by now.
    case listeningEnd(RadioID, generation: UInt32)
    /// An event of an advertiser that nobody may hear, or a frame in one: see `QuietAir`.
    case advertisement(place: UInt32, generation: UInt32)
    /// Something on an air that is shared with other parts of a world; it is in no queue of events.
    case sharedAir
    /// The end of a frame, or a wake-up, in a connection event that goes on directly; in no queue either.
    case directFrameEnd
    case directWakeUp(isCentral: Bool)
    /// An action of the scenario.
    case action(place: UInt32)
}
