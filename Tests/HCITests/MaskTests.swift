import BluethroatHCI
import Testing

@Suite("Event masks and feature bits")
struct MaskTests {
    @Test("Event mask bits are those of the specification")
    func eventMask() {
        #expect(EventMask.disconnectionComplete.rawValue == 0x0000_0000_0000_0010)
        #expect(EventMask.encryptionChange.rawValue == 0x0000_0000_0000_0080)
        #expect(EventMask.readRemoteVersionInformationComplete.rawValue == 0x0000_0000_0000_0800)
        #expect(EventMask.hardwareError.rawValue == 0x0000_0000_0000_8000)
        #expect(EventMask.dataBufferOverflow.rawValue == 0x0000_0000_0200_0000)
        #expect(EventMask.encryptionKeyRefreshComplete.rawValue == 0x0000_8000_0000_0000)
        #expect(EventMask.leMeta.rawValue == 0x2000_0000_0000_0000)
        #expect(EventMask.standard.rawValue == 0x0000_1FFF_FFFF_FFFF)
        #expect(EventMaskPage2.authenticatedPayloadTimeoutExpired.rawValue == 0x0080_0000)
    }

    @Test("LE event mask bits are those of the specification")
    func leEventMask() {
        let bits: [(LEEventMask, UInt64, LESubeventCode)] = [
            (.connectionComplete, 0x0000_0001, .connectionComplete),
            (.advertisingReport, 0x0000_0002, .advertisingReport),
            (.connectionUpdateComplete, 0x0000_0004, .connectionUpdateComplete),
            (.readRemoteFeaturesComplete, 0x0000_0008, .readRemoteFeaturesComplete),
            (.longTermKeyRequest, 0x0000_0010, .longTermKeyRequest),
            (.remoteConnectionParameterRequest, 0x0000_0020, .remoteConnectionParameterRequest),
            (.dataLengthChange, 0x0000_0040, .dataLengthChange),
            (.readLocalP256PublicKeyComplete, 0x0000_0080, .readLocalP256PublicKeyComplete),
            (.generateDHKeyComplete, 0x0000_0100, .generateDHKeyComplete),
            (.enhancedConnectionComplete, 0x0000_0200, .enhancedConnectionComplete),
            (.directedAdvertisingReport, 0x0000_0400, .directedAdvertisingReport),
            (.phyUpdateComplete, 0x0000_0800, .phyUpdateComplete),
            (.extendedAdvertisingReport, 0x0000_1000, .extendedAdvertisingReport),
            (.scanTimeout, 0x0001_0000, .scanTimeout),
            (.advertisingSetTerminated, 0x0002_0000, .advertisingSetTerminated),
            (.scanRequestReceived, 0x0004_0000, .scanRequestReceived),
            (.channelSelectionAlgorithm, 0x0008_0000, .channelSelectionAlgorithm),
        ]
        for (mask, value, subevent) in bits {
            #expect(mask.rawValue == value)
            var masks = EventMasks()
            masks.events.insert(.leMeta)
            masks.le = mask
            #expect(masks.allow(subevent))
            masks.le = LEEventMask(rawValue: ~value)
            #expect(!masks.allow(subevent))
        }
        #expect(LEEventMask.standard.rawValue == 0x1F)
    }

    @Test("After Reset no LE event comes, for the LE Meta event is masked")
    func standard() {
        var masks = EventMasks()
        for event in Samples.events where event.code == .leMeta { #expect(!masks.allow(event)) }
        masks.events.insert(.leMeta)
        for event in Samples.events where event.code == .leMeta {
            let isOld = (1...5).contains(event.subevent?.rawValue ?? 0)
            #expect(masks.allow(event) == isOld, "\(event.label)")
        }
        #expect(!masks.allow(EventCode.authenticatedPayloadTimeoutExpired))
        #expect(masks.allow(EventCode.disconnectionComplete))
    }

    @Test("Each maskable event obeys its bit; answers to commands and freed buffers cannot be masked")
    func eachBit() {
        let bits: [(EventCode, EventMask)] = [
            (.disconnectionComplete, .disconnectionComplete), (.encryptionChange, .encryptionChange),
            (.readRemoteVersionInformationComplete, .readRemoteVersionInformationComplete),
            (.hardwareError, .hardwareError), (.dataBufferOverflow, .dataBufferOverflow),
            (.encryptionKeyRefreshComplete, .encryptionKeyRefreshComplete), (.leMeta, .leMeta),
        ]
        var masks = EventMasks()
        for (code, bit) in bits {
            masks.events = bit
            #expect(masks.allow(code))
            masks.events = EventMask(rawValue: ~bit.rawValue)
            #expect(!masks.allow(code))
        }
        masks.events = []
        masks.page2 = .authenticatedPayloadTimeoutExpired
        #expect(masks.allow(EventCode.authenticatedPayloadTimeoutExpired))
        for code in [EventCode.commandComplete, .commandStatus, .numberOfCompletedPackets] {
            #expect(masks.allow(code))
        }
    }

    @Test("A subevent that no bit can stand for is not sent")
    func subeventsWithoutBit() {
        var masks = EventMasks()
        masks.events.insert(.leMeta)
        masks.le = LEEventMask(rawValue: .max)
        #expect(!masks.allow(LESubeventCode(rawValue: 0)))
        #expect(masks.allow(LESubeventCode(rawValue: 64)))
        #expect(!masks.allow(LESubeventCode(rawValue: 65)))
    }

    @Test("An LE-only controller's LMP features are the bytes hosts look for")
    func lmpFeatures() {
        let features: LMPFeatures = [.brEDRNotSupported, .leSupported]
        let page = ReadLocalSupportedFeaturesReturn(features: features)
        #expect(page.bytes == [0x00, 0x00, 0x00, 0x00, 0x00, 0x60, 0x00, 0x00, 0x00])
    }

    @Test("LE feature bits are those of the Link Layer's feature table")
    func leFeatures() {
        let bits: [(LEFeatures, Int)] = [
            (.encryption, 0), (.connectionParametersRequest, 1), (.extendedRejectIndication, 2),
            (.peripheralInitiatedFeaturesExchange, 3), (.ping, 4), (.dataPacketLengthExtension, 5), (.privacy, 6),
            (.extendedScanningFilterPolicies, 7), (.le2MPHY, 8), (.stableModulationIndexTransmitter, 9),
            (.stableModulationIndexReceiver, 10), (.leCodedPHY, 11), (.extendedAdvertising, 12),
            (.periodicAdvertising, 13), (.channelSelectionAlgorithm2, 14), (.powerClass1, 15),
            (.minimumNumberOfUsedChannels, 16), (.remotePublicKeyValidation, 27), (.connectionSubrating, 37),
        ]
        for (feature, bit) in bits { #expect(feature.rawValue == 1 << UInt64(bit)) }
    }
}
