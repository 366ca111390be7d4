import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

/// One example of every PDU, with its bytes as Core 6.0, Vol 3, Part F, 3.4 lays them out.
struct ATTExample: CustomTestStringConvertible, Sendable {
    let pdu: ATTPDU
    let hex: String
    /// Lengths, short of the whole, at which the PDU still has an end that makes sense.
    var soundPrefixes: Set<Int> = []
    /// Whether another byte makes another sound PDU.
    var growsBy: Int? = nil

    var bytes: [UInt8] { [UInt8](hex: hex) ?? [] }
    var testDescription: String { hex }

    static let all: [ATTExample] = [
        ATTExample(
            pdu: .errorResponse(ErrorResponse(request: .readRequest, handle: 0x0102, error: .readNotPermitted)),
            hex: "01 0A 02 01 02"
        ),
        ATTExample(pdu: .exchangeMTURequest(ExchangeMTURequest(clientReceiveMTU: 517)), hex: "02 05 02"),
        ATTExample(pdu: .exchangeMTUResponse(ExchangeMTUResponse(serverReceiveMTU: 23)), hex: "03 17 00"),
        ATTExample(
            pdu: .findInformationRequest(FindInformationRequest(start: 0x0001, end: 0xFFFF)),
            hex: "04 01 00 FF FF"
        ),
        ATTExample(
            pdu: .findInformationResponse(
                FindInformationResponse(entries: [.init(handle: 3, type: 0x2902), .init(handle: 4, type: 0x2901)])
            ),
            hex: "05 01 03 00 02 29 04 00 01 29",
            soundPrefixes: [6],
            growsBy: 4
        ),
        ATTExample(
            pdu: .findInformationResponse(
                FindInformationResponse(entries: [.init(handle: 3, type: longUUID)])
            ),
            hex: "05 02 03 00 F0 DE BC 9A 78 56 34 12 F0 DE BC 9A 78 56 34 12",
            growsBy: 18
        ),
        ATTExample(
            pdu: .findByTypeValueRequest(
                FindByTypeValueRequest(start: 1, end: 0xFFFF, type: 0x2800, value: [0x0F, 0x18])
            ),
            hex: "06 01 00 FF FF 00 28 0F 18",
            soundPrefixes: [7, 8],
            growsBy: 1
        ),
        ATTExample(
            pdu: .findByTypeValueResponse(
                FindByTypeValueResponse(entries: [.init(handle: 1, groupEnd: 5), .init(handle: 9, groupEnd: 0xFFFF)])
            ),
            hex: "07 01 00 05 00 09 00 FF FF",
            soundPrefixes: [5],
            growsBy: 4
        ),
        ATTExample(
            pdu: .readByTypeRequest(ReadByTypeRequest(start: 1, end: 9, type: 0x2803)),
            hex: "08 01 00 09 00 03 28",
            growsBy: 14
        ),
        ATTExample(
            pdu: .readByTypeRequest(ReadByTypeRequest(start: 1, end: 9, type: longUUID)),
            hex: "08 01 00 09 00 F0 DE BC 9A 78 56 34 12 F0 DE BC 9A 78 56 34 12",
            soundPrefixes: [7]
        ),
        ATTExample(
            pdu: .readByTypeResponse(
                ReadByTypeResponse(entries: [
                    HandleValue(handle: 2, value: [0xAA]), HandleValue(handle: 4, value: [0xBB]),
                ])
            ),
            hex: "09 03 02 00 AA 04 00 BB",
            soundPrefixes: [5],
            growsBy: 3
        ),
        ATTExample(pdu: .readRequest(ReadRequest(handle: 0x0003)), hex: "0A 03 00"),
        ATTExample(
            pdu: .readResponse(ReadResponse(value: [1, 2, 3])),
            hex: "0B 01 02 03",
            soundPrefixes: [1, 2, 3],
            growsBy: 1
        ),
        ATTExample(pdu: .readBlobRequest(ReadBlobRequest(handle: 3, offset: 22)), hex: "0C 03 00 16 00"),
        ATTExample(
            pdu: .readBlobResponse(ReadBlobResponse(part: [4, 5])),
            hex: "0D 04 05",
            soundPrefixes: [1, 2],
            growsBy: 1
        ),
        ATTExample(
            pdu: .readMultipleRequest(ReadMultipleRequest(handles: [1, 2, 3])),
            hex: "0E 01 00 02 00 03 00",
            soundPrefixes: [5],
            growsBy: 2
        ),
        ATTExample(
            pdu: .readMultipleResponse(ReadMultipleResponse(values: [7, 8])),
            hex: "0F 07 08",
            soundPrefixes: [1, 2],
            growsBy: 1
        ),
        ATTExample(
            pdu: .readByGroupTypeRequest(ReadByGroupTypeRequest(start: 1, end: 0xFFFF, groupType: 0x2800)),
            hex: "10 01 00 FF FF 00 28",
            growsBy: 14
        ),
        ATTExample(
            pdu: .readByGroupTypeResponse(
                ReadByGroupTypeResponse(entries: [
                    .init(handle: 1, groupEnd: 5, value: [0x00, 0x18]),
                    .init(handle: 6, groupEnd: 9, value: [0x01, 0x18]),
                ])
            ),
            hex: "11 06 01 00 05 00 00 18 06 00 09 00 01 18",
            soundPrefixes: [8],
            growsBy: 6
        ),
        ATTExample(
            pdu: .writeRequest(WriteRequest(handle: 0x0F, value: [1, 0])),
            hex: "12 0F 00 01 00",
            soundPrefixes: [3, 4],
            growsBy: 1
        ),
        ATTExample(pdu: .writeResponse, hex: "13"),
        ATTExample(
            pdu: .prepareWriteRequest(PreparedWrite(handle: 3, offset: 18, part: [9])),
            hex: "16 03 00 12 00 09",
            soundPrefixes: [5],
            growsBy: 1
        ),
        ATTExample(
            pdu: .prepareWriteResponse(PreparedWrite(handle: 3, offset: 18, part: [9])),
            hex: "17 03 00 12 00 09",
            soundPrefixes: [5],
            growsBy: 1
        ),
        ATTExample(pdu: .executeWriteRequest(ExecuteWriteRequest(.write)), hex: "18 01"),
        ATTExample(pdu: .executeWriteRequest(ExecuteWriteRequest(.cancel)), hex: "18 00"),
        ATTExample(pdu: .executeWriteResponse, hex: "19"),
        ATTExample(
            pdu: .handleValueNotification(HandleValueNotification(handle: 0x47, value: [3])),
            hex: "1B 47 00 03",
            soundPrefixes: [3],
            growsBy: 1
        ),
        ATTExample(
            pdu: .handleValueIndication(HandleValueIndication(handle: 0x0E, value: [1, 0, 0xFF, 0xFF])),
            hex: "1D 0E 00 01 00 FF FF",
            soundPrefixes: [3, 4, 5, 6],
            growsBy: 1
        ),
        ATTExample(pdu: .handleValueConfirmation, hex: "1E"),
        ATTExample(
            pdu: .readMultipleVariableRequest(ReadMultipleVariableRequest(handles: [1, 2])),
            hex: "20 01 00 02 00",
            growsBy: 2
        ),
        ATTExample(
            pdu: .readMultipleVariableResponse(
                ReadMultipleVariableResponse(entries: [
                    .init(length: 1, value: [7]), .init(length: 3, value: [8, 9]),
                ])
            ),
            hex: "21 01 00 07 03 00 08 09",
            // Wherever but in a length: the last value may be cut.
            soundPrefixes: [1, 3, 4, 6, 7],
            growsBy: 1
        ),
        ATTExample(
            pdu: .multipleHandleValueNotification(
                MultipleHandleValueNotification(entries: [
                    HandleValue(handle: 2, value: [5]), HandleValue(handle: 4, value: []),
                ])
            ),
            hex: "23 02 00 01 00 05 04 00 00 00",
            growsBy: 4
        ),
        ATTExample(
            pdu: .writeCommand(WriteCommand(handle: 0x28, value: [2])),
            hex: "52 28 00 02",
            soundPrefixes: [3],
            growsBy: 1
        ),
        ATTExample(
            pdu: .signedWriteCommand(
                SignedWriteCommand(handle: 3, value: [0xAA], signature: Array(1...12))
            ),
            hex: "D2 03 00 AA 01 02 03 04 05 06 07 08 09 0A 0B 0C",
            soundPrefixes: [15],
            growsBy: 1
        ),
        ATTExample(
            pdu: .unknown(ATTOpcode(rawValue: 0x7F), parameters: [1, 2]),
            hex: "7F 01 02",
            soundPrefixes: [1, 2],
            growsBy: 1
        ),
    ]

    static let longUUID = BluetoothUUID(high: 0x1234_5678_9ABC_DEF0, low: 0x1234_5678_9ABC_DEF0)
}
