import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands that are about the controller as a whole. Core 6.0, Vol 4, Part E, 7.3, 7.8.1, 7.8.22, 7.8.23.
extension ControllerCore {
    mutating func setEventMask(_ command: SetEventMask, at now: Instant, into actions: inout ControllerActions) {
        masks.events = command.mask
        complete(.setEventMask, .success, into: &actions)
    }

    mutating func setEventMaskPage2(
        _ command: SetEventMaskPage2,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        masks.page2 = command.mask
        complete(.setEventMaskPage2, .success, into: &actions)
    }

    mutating func leSetEventMask(_ command: LESetEventMask, at now: Instant, into actions: inout ControllerActions) {
        masks.le = command.mask
        complete(.leSetEventMask, .success, into: &actions)
    }

    /// Everything as after power-up, but for the address; links end without a word. Vol 4, Part E, 7.3.2.
    mutating func reset(_ command: Reset, at now: Instant, into actions: inout ControllerActions) {
        if !agenda.isFree { actions.radio.append(.stop) }
        agenda = RadioAgenda()
        deadlines.disarmAll()
        connections = []
        connectionCount = 0
        bufferedPackets = 0
        advertiser = Advertiser()
        scanner = nil
        scanParameters = ScanParameters()
        initiator = nil
        keyPair = nil
        observation = .listening
        masks = EventMasks()
        randomAddress = nil
        filterAcceptList = FilterAcceptList()
        resolvingList = ResolvingList()
        hostChannels = .all
        suggestedTransmitOctets = DataLength.leastOctets
        suggestedTransmitTime = DataLength.leastTime
        defaultPHYs = PHYPreference()
        complete(.reset, .success, into: &actions)
    }

    mutating func leRand(_ command: LERand, at now: Instant, into actions: inout ControllerActions) {
        complete(.leRand, returning: LERandReturn(number: random.secret.next()), into: &actions)
    }

    /// LE Encrypt. Vol 4, Part E, 7.8.22.
    mutating func leEncrypt(_ command: LEEncrypt, at now: Instant, into actions: inout ControllerActions) {
        guard let key = Block128(littleEndian: command.key), let plaintext = Block128(littleEndian: command.plaintext)
        else { return refuse(.leEncrypt, .invalidCommandParameters, into: &actions) }
        let ciphertext = AESBlock.encrypt(key: key, plaintext: plaintext)
        complete(.leEncrypt, returning: LEEncryptReturn(ciphertext: ciphertext.littleEndianBytes), into: &actions)
    }
}
