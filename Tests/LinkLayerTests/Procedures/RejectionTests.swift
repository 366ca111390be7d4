import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// A refusal is a failure, whatever code it comes with: 0x00 says success everywhere else. Core 6.0, Vol 1, Part F, 1.
@Suite("A refusal is never a success")
struct RejectionTests {
    private static let codes = (UInt8.min...UInt8.max).map { ControllerError(rawValue: $0) }

    /// The code that the host hears of.
    private static func reported(_ code: ControllerError) -> ControllerError {
        code == .success ? .unspecifiedError : code
    }

    /// Both forms of a refusal.
    private static func refusals(of opcode: ControlOpcode, _ code: ControllerError) -> [ControlPDU] {
        [.rejectInd(code), .rejectExtInd(opcode, code)]
    }

    //   LE Enable Encryption
    //      | LL_ENC_REQ                    |
    //      |------------------------------>|
    //      | LL_REJECT_IND, LL_REJECT_EXT… |   with each code there is
    //      |<------------------------------|
    //   Encryption Change: failed, off
    @Test("Encryption: every code says that the link is not encrypted, and it is not", arguments: [false, true])
    func encryption(answersFirst: Bool) throws {
        for code in Self.codes {
            for refusal in Self.refusals(of: .encReq, code) {
                let bench = try Bench()
                let tester = SecureTester(try bench.connectAsCentral())
                try tester.idle(events: 1)
                try bench.succeed(tester.order())
                _ = try tester.takeRequest()
                if answersFirst { try tester.send(.encRsp(SecureTester.response)) }
                try tester.send(refusal)
                #expect(try bench.takeNews() == [tester.change(Self.reported(code))])
                #expect(bench.controller.connection(tester.handle)?.connection.encryption.isOn == false)
                try tester.checkTraffic()
            }
        }
    }

    @Test("Pausing encryption: every code says that the key is the old one, and it is")
    func pause() throws {
        for code in Self.codes {
            for refusal in Self.refusals(of: .pauseEncReq, code) {
                let tester = try SecureTester.encrypted(as: .central)
                try tester.bench.succeed(tester.order())
                #expect(try tester.nextControl() == .pauseEncReq)
                try tester.send(refusal)
                #expect(try tester.bench.takeNews() == [tester.refresh(Self.reported(code))])
                #expect(tester.bench.controller.connection(tester.handle)?.connection.encryption.isOn == true)
                try tester.checkTraffic()
            }
        }
    }

    @Test("Feature exchange: every code is reported as a failure", arguments: [ConnectionRole.central, .peripheral])
    func features(role: ConnectionRole) throws {
        let opcode: ControlOpcode = role == .central ? .featureReq : .peripheralFeatureReq
        for code in Self.codes {
            for refusal in Self.refusals(of: opcode, code) {
                let bench = try Bench()
                let link = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
                try link.idle(events: 1)
                try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
                #expect(try link.nextControl().opcode == opcode)
                try link.send(refusal)
                let complete = LEReadRemoteFeaturesComplete(
                    status: Self.reported(code),
                    connection: link.handle,
                    features: []
                )
                #expect(try bench.takeNews() == [.leReadRemoteFeaturesComplete(complete)])
            }
        }
    }

    @Test("PHY update: every code is reported as a failure", arguments: [ConnectionRole.central, .peripheral])
    func phys(role: ConnectionRole) throws {
        for code in Self.codes {
            for refusal in Self.refusals(of: .phyReq, code) {
                let bench = try Bench()
                let link = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
                try link.idle(events: 1)
                try bench.succeed(.leSetPHY(LESetPHY(connection: link.handle, transmit: .le2M, receive: .le2M)))
                #expect(try link.nextControl().opcode == .phyReq)
                try link.send(refusal)
                let complete = LEPHYUpdateComplete(
                    status: Self.reported(code),
                    connection: link.handle,
                    transmit: .le1M,
                    receive: .le1M
                )
                #expect(try bench.takeNews() == [.lePHYUpdateComplete(complete)])
            }
        }
    }

    @Test("Connection parameter request: every code is reported as a failure")
    func parameters() throws {
        for code in Self.codes {
            for refusal in Self.refusals(of: .connectionParamReq, code) {
                let bench = try Bench()
                let link = try bench.connectAsPeripheral()
                try link.idle(events: 1)
                try bench.succeed(link.update())
                #expect(try link.nextControl().opcode == .connectionParamReq)
                try link.send(refusal)
                let complete = LEConnectionUpdateComplete(
                    status: Self.reported(code),
                    connection: link.handle,
                    interval: 24,
                    latency: 0,
                    supervisionTimeout: 200
                )
                #expect(try bench.takeNews() == [.leConnectionUpdateComplete(complete)])
            }
        }
    }

    @Test("Data length update: a refusal with any code changes nothing, and the next procedure begins")
    func dataLength() throws {
        for code in Self.codes {
            for refusal in Self.refusals(of: .lengthReq, code) {
                let bench = try Bench()
                let link = try bench.connectAsCentral()
                try link.idle(events: 1)
                let set = LESetDataLength(connection: link.handle, transmitOctets: 251, transmitTime: 2_120)
                try bench.succeed(.leSetDataLength(set))
                #expect(try link.nextControl().opcode == .lengthReq)
                try link.send(refusal)
                #expect(try bench.takeNews().isEmpty)
                try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
                #expect(try link.nextControl().opcode == .featureReq)
            }
        }
    }

    //  Controller                      Lower Tester
    //      | LL_FEATURE_REQ, LL_VERSION_IND … |
    //      |--------------------------------->|
    //      | LL_TERMINATE_IND                 |   with each reason there is
    //      |<---------------------------------|
    @Test("LL_TERMINATE_IND: with any reason what the host still waits for has failed, and the reason is no success")
    func termination() throws {
        for code in Self.codes {
            let bench = try Bench()
            let link = try bench.connectAsCentral()
            try link.idle(events: 1)
            try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
            let version = ReadRemoteVersionInformation(connection: link.handle)
            try bench.succeed(.readRemoteVersionInformation(version))
            try bench.succeed(link.update())
            try bench.succeed(.leSetPHY(LESetPHY(connection: link.handle, transmit: .le2M, receive: .le2M)))
            #expect(try link.nextControl().opcode == .featureReq)
            _ = try link.exchange(.control(.terminateInd(code)))
            _ = try link.exchange()
            let statuses = try bench.takeNews().map { event -> ControllerError? in
                switch event {
                case .leReadRemoteFeaturesComplete(let complete): complete.status
                case .readRemoteVersionInformationComplete(let complete): complete.status
                case .leConnectionUpdateComplete(let complete): complete.status
                case .lePHYUpdateComplete(let complete): complete.status
                case .disconnectionComplete(let complete): complete.reason
                default: nil
                }
            }
            #expect(statuses == [ControllerError?](repeating: Self.reported(code), count: 5), "\(code)")
        }
    }

    @Test("A host cannot refuse parameters with a reason that says success")
    func hostRefuses() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        let range = try #require(
            ConnectionParameterRange(minimumSteps: 40, maximumSteps: 60, latencyEvents: 0, timeoutSteps: 400)
        )
        try link.send(.connectionParamReq(ConnectionParameterProposal(range: range)))
        guard case .leRemoteConnectionParameterRequest = try bench.nextEvent() else {
            Issue.record("the host was not asked")
            return
        }
        for code in Self.codes {
            let reply = LERemoteConnectionParameterRequestNegativeReply(connection: link.handle, reason: code)
            let status = try bench.status(of: .leRemoteConnectionParameterRequestNegativeReply(reply))
            guard code != .success else {
                #expect(status == .invalidCommandParameters)
                continue
            }
            #expect(status == .success)
            #expect(try link.nextControl() == .rejectExtInd(.connectionParamReq, code))
            try link.send(.connectionParamReq(ConnectionParameterProposal(range: range)))
            _ = try bench.nextEvent(within: .seconds(1))
        }
    }
}
