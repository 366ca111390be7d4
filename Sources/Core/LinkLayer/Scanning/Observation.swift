import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// What the radio is about while scanning or initiating.
enum Observation: Sendable {
    /// Listening for advertisements.
    case listening
    /// An advertisement came that will be answered at the end of the inter frame space.
    case aboutToAsk(HeardDevice, ChannelIndex)
    case asking(HeardDevice, ChannelIndex)
    case awaitingResponse(HeardDevice, ChannelIndex)
    // Plans are large, and most controllers never have one.
    indirect case aboutToConnect(ConnectionPlan, ChannelIndex)
    indirect case connecting(ConnectionPlan)
}
