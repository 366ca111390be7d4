import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@Suite("LL control PDUs")
struct ControlPDUTests {
    /// Each PDU with its bytes, written down by hand from section 2.4.2.
    static func pdus() throws -> [(ControlPDU, String)] {
        let parameters = try #require(
            ConnectionParameters(intervalSteps: 0x0018, latencyEvents: 0x0004, timeoutSteps: 0x00C8)
        )
        let window = try #require(TransmitWindow(sizeSteps: 2, offsetSteps: 5, interval: parameters.interval))
        let map = try #require(ChannelMap(bits: 0x1E_00E0_0600))
        let proposal = ConnectionParameterProposal(
            range: try Sample.range(),
            preferredPeriodicity: 2,
            referenceConnectionEventCount: 0x1234,
            offsets: [0, 1, 2, 3, 4, 0xFFFF]
        )
        let lengths = DataLengths(
            maximumReceiveOctets: 251,
            maximumReceiveTime: 2120,
            maximumTransmitOctets: 27,
            maximumTransmitTime: 328
        )
        return [
            (
                .connectionUpdateInd(
                    ConnectionUpdateIndication(window: window, parameters: parameters, instant: 0xABCD)
                ),
                "00 02 0500 1800 0400 c800 cdab"
            ),
            (.channelMapInd(ChannelMapIndication(channelMap: map, instant: 0x0102)), "01 0006e0001e 0201"),
            (.terminateInd(.remoteUserTerminatedConnection), "02 13"),
            // Sample data of Vol 6, Part C, 1.
            (
                .encReq(
                    EncryptionRequest(
                        rand: 0xABCD_EF12_3456_7890,
                        ediv: 0x2474,
                        sessionKeyDiversifier: 0xACBD_CEDF_E0F1_0213,
                        initializationVector: 0xBADC_AB24
                    )
                ),
                "03 90785634 12efcdab 7424 1302f1e0dfcebdac 24abdcba"
            ),
            (
                .encRsp(
                    EncryptionResponse(
                        sessionKeyDiversifier: 0x0213_2435_4657_6879,
                        initializationVector: 0xDEAF_BABE
                    )
                ),
                "04 7968574635241302 bebaafde"
            ),
            (.startEncReq, "05"),
            (.startEncRsp, "06"),
            (.unknownRsp(.lengthReq), "07 14"),
            (.featureReq(features: 0x1122_3344_5566_7788), "08 8877665544332211"),
            (.featureRsp(features: 1), "09 0100000000000000"),
            (.pauseEncReq, "0a"),
            (.pauseEncRsp, "0b"),
            (
                .versionInd(VersionIndication(version: 0x0D, companyIdentifier: 0x05F1, subversion: 0x0203)),
                "0c 0d f105 0302"
            ),
            (.rejectInd(.pinOrKeyMissing), "0d 06"),
            (.peripheralFeatureReq(features: 0xFF), "0e ff00000000000000"),
            (.connectionParamReq(proposal), "0f 0600 800c 0000 800c 02 3412 0000 0100 0200 0300 0400 ffff"),
            (.connectionParamRsp(proposal), "10 0600 800c 0000 800c 02 3412 0000 0100 0200 0300 0400 ffff"),
            (.rejectExtInd(.connectionParamReq, .unsupportedRemoteFeature), "11 0f 1a"),
            (.pingReq, "12"),
            (.pingRsp, "13"),
            (.lengthReq(lengths), "14 fb00 4808 1b00 4801"),
            (.lengthRsp(lengths), "15 fb00 4808 1b00 4801"),
            (.phyReq(transmit: [.le1M, .le2M], receive: .leCoded), "16 03 04"),
            (.phyRsp(transmit: .le2M, receive: [.le1M, .le2M, .leCoded]), "17 02 07"),
            (
                .phyUpdateInd(
                    PHYUpdateIndication(centralToPeripheral: .le2M, peripheralToCentral: [], instant: 0x1234)
                ),
                "18 02 00 3412"
            ),
            (.minUsedChannelsInd(phys: [.le1M, .le2M], channels: 20), "19 03 14"),
            (.cteReq(ToneRequest(rawValue: 0x54)), "1a 54"),
            (.cteRsp, "1b"),
            (.clockAccuracyReq(.upTo20), "1d 07"),
            (.clockAccuracyRsp(.upTo500), "1e 00"),
            (.unknown(ControlOpcode(rawValue: 0x26), [1, 2, 3]), "26 010203"),
            (.unknown(ControlOpcode(rawValue: 0xFF), []), "ff"),
        ]
    }

    @Test("Each PDU is written as the specification lays it out, and read back")
    func roundTrip() throws {
        for (pdu, text) in try Self.pdus() {
            let expected = try #require([UInt8](hex: text))
            var out: [UInt8] = []
            pdu.write(to: &out)
            #expect(out == expected, "\(pdu.opcode): \(out.hex)")
            #expect(pdu.opcode.rawValue == expected.first)
            var bytes = out.span.bytes
            #expect(try ControlPDU(parsing: &bytes) == pdu)
        }
    }

    @Test("Every truncation and every trailing byte is an error")
    func lengths() throws {
        for (pdu, _) in try Self.pdus() {
            if case .unknown = pdu { continue }
            var whole: [UInt8] = []
            pdu.write(to: &whole)
            for count in 0..<whole.count {
                let cut = Array(whole[..<count])
                #expect(throws: DecodeError.self, "\(pdu.opcode) of \(count)") {
                    var bytes = cut.span.bytes
                    _ = try ControlPDU(parsing: &bytes)
                }
            }
            let long = whole + [0]
            #expect(throws: DecodeError.trailingBytes(1), "\(pdu.opcode)") {
                var bytes = long.span.bytes
                _ = try ControlPDU(parsing: &bytes)
            }
        }
    }

    @Test("An update that is not allowed is read, so that it can be answered, but has no meaning")
    func rawUpdates() throws {
        let octets = try #require([UInt8](hex: "00 02 0500 0500 0400 c800 cdab"))
        var bytes = octets.span.bytes
        guard case .connectionUpdateInd(let update) = try ControlPDU(parsing: &bytes) else {
            Issue.record("no connection update")
            return
        }
        #expect(update.parameters == nil)
        #expect(update.window == nil)

        let swapped = try #require([UInt8](hex: "0f 0a00 0900 0000 c800 00 0000 ffff ffff ffff ffff ffff ffff"))
        bytes = swapped.span.bytes
        guard case .connectionParamReq(let proposal) = try ControlPDU(parsing: &bytes) else {
            Issue.record("no connection parameter request")
            return
        }
        #expect(proposal.range == nil)
    }

    @Test("What an update means comes back from it")
    func meanings() throws {
        for (pdu, _) in try Self.pdus() {
            switch pdu {
            case .connectionUpdateInd(let update):
                #expect(update.parameters?.interval.steps == 24)
                #expect(update.window?.offsetSteps == 5)
            case .connectionParamReq(let proposal):
                let range = try Sample.range()
                #expect(proposal.range == range)
            default: break
            }
        }
    }

    @Test("A value that its field does not allow is an error")
    func values() throws {
        for text in ["1d 08", "1e ff", "01 01000000e0 0000", "01 0000000000 0000"] {
            let octets = try #require([UInt8](hex: text))
            #expect(throws: DecodeError.self, "\(text)") {
                var bytes = octets.span.bytes
                _ = try ControlPDU(parsing: &bytes)
            }
        }
    }

    @Test("Opcodes print by their names")
    func names() {
        #expect(ControlOpcode.connectionUpdateInd.description == "LL_CONNECTION_UPDATE_IND")
        #expect(ControlOpcode.clockAccuracyRsp.description == "LL_CLOCK_ACCURACY_RSP")
        #expect(ControlOpcode.channelStatusInd.description == "LL_CHANNEL_STATUS_IND")
        #expect(ControlOpcode(rawValue: 0xFE).description == "LL control 0xFE")
    }

    @Test("A PDU fits in 48 bytes, so that lists of them stay small")
    func size() { #expect(MemoryLayout<ControlPDU>.size <= 48) }
}
