import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// What the radio is about while scanning or initiating.
enum Observation: Sendable {
    /// Listening for advertisements.
    case listening
    /// An advertisement came that will be answered at the end of the inter frame space.
    case aboutToAsk(DeviceAddress, ChannelIndex)
    case asking(DeviceAddress, ChannelIndex)
    case awaitingResponse(DeviceAddress, ChannelIndex)
    case aboutToConnect(ConnectIndication, ChannelIndex)
    case connecting(ConnectIndication)
}
