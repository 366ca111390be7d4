import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding

@testable import BluethroatHost

/// A pairing between two devices of the Bumble stack: what was said, and the secrets behind it.
struct Transcript: Sendable {
    enum Method: String, Sendable {
        case justWorks, numericComparison, passkey, outOfBand
    }

    let name: String
    let method: Method
    /// Private keys of initiator and responder, most significant byte first.
    var privateKeys: [String] = []
    /// The passkey, or the digits that were compared.
    var digits: UInt32?
    /// The temporary key of legacy OOB; otherwise the random values of Secure Connections' OOB, initiator's first. As
    /// they travel, least significant byte first.
    var outOfBand: [String] = []
    /// The LTK, or the STK of legacy pairing; least significant byte first.
    let key: String
    /// One PDU a line, after an I for the initiator's or an R for the responder's.
    let text: String

    static let initiator = DeviceAddress(value: 0xF0F1_F2F3_F4F5, kind: .random)
    static let responder = DeviceAddress(value: 0xC5C4_C3C2_C1C0, kind: .random)

    struct Line: Sendable {
        let isInitiator: Bool
        let bytes: [UInt8]
    }

    var lines: [Line] {
        text.split(separator: "\n").map { line in
            Line(isInitiator: line.hasPrefix("I"), bytes: [UInt8](hex: line.dropFirst(2)) ?? [])
        }
    }

    static let all: [Transcript] = [
        Transcript(
            name: "legacy-justworks",
            method: .justWorks,
            key: "73dd5418d4ce2ac2ba8ccf7fce649aab",
            text: """
                I 01030001100303
                R 02030001100303
                I 034205741b7e29cc4299041e3921b0551e
                R 03200e373b7c15c4ff376b853207839218
                I 04534e40ccd762e2c2d866f887fc656eaf
                R 04096f6c55482e3cb80e057edd7c1ced9c
                R 068a8a27f96c94deb038a687a9639b20a2
                R 0700000000000000000000
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 06fa24e79b392a05c882ee3bdba473aaf8
                I 0700000000000000000000
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "legacy-passkey",
            method: .passkey,
            digits: 528492,
            key: "2e00cc820386fca0912d92931b8c62d3",
            text: """
                I 01020005100303
                R 02000005100303
                I 0302d9635bbf4ba41aab1067b61944fb9b
                R 0320cbbc6afcc674b329cd4a4155e9b9f7
                I 044ffe87b44405f9040a880197d2ab8ebc
                R 04f139e6ba618e6e48c34d67c7066ede47
                R 06bacc03924cd26ff86567a3333c052c43
                R 0700000000000000000000
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 06fbbc5a419e1de701fc06efc95d4ed6e2
                I 0700000000000000000000
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "legacy-oob",
            method: .outOfBand,
            outOfBand: ["8c33cdce7d37f269dca861a5c9349b59"],
            key: "b376f36d952b2c3fde72ef551e678f86",
            text: """
                I 01030105100303
                R 02030105100303
                I 0322b7ef86d5fe3dadafcd9a997f2da835
                R 0322b7ef86d5fe3dadafcd9a997f2da835
                I 0400000000000000000000000000000000
                R 0400000000000000000000000000000000
                R 067eed406dbae9730da7bc870022950ce7
                R 0700000000000000000000
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 06560549e580a3d31bd34bfb6f7a57d274
                I 0700000000000000000000
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-justworks",
            method: .justWorks,
            privateKeys: [
                "8a7eed9b4a8d16114b3a2589bd0839972d7eac89c0cc2fede6d73b12a3faabf2",
                "dbff9de45a1afa8365a629bbabbbab4e26ead07e36efe0ab59c5d660e829c623",
            ],
            key: "4ca0d548ff197539d38f7c18c601967e",
            text: """
                I 01030009100303
                R 02030009100303
                I 0ca56bacf1bc2d42ab12c65f54f43367e10639b74cf163d1a303f549f6883246cd7d45efb88585982ba8535b3f5e4e5327eb\
                  a4995790d69d0670ba849954ef3f7c
                R 0c5934c90f70b2a10605d2ed2878b0b65215daebae3ef04f83e2dfdd32f4f91c171422b13f3bdc486119a202c4ea5cd7ee15\
                  f7bc7aea07678810a86e310f1ca8c9
                R 03d94344c1c045fbd259ccb6043d699ca1
                I 04acfae46ae9b7cbf5b4e10de02bdc685e
                R 0498b02579bab9a2103ea53aec14fb8326
                I 0d45d30a8742fa9886ca1e01ceffd83222
                R 0d9594efbdb3057807696be1082d182327
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-numeric",
            method: .numericComparison,
            privateKeys: [
                "4cb8853f86562e9af7e5cb7daefbe886bdaba5f121c15532f737edcf18ec4d20",
                "8b06b9a659ba474f83781307225ab84ffa84427d6eb1f9d5f9f2ff5648556805",
            ],
            digits: 289025,
            key: "d0b2dcdddcf973e4f86327ddc2960753",
            text: """
                I 0101000d100303
                R 0204000d100303
                I 0cdda2a289ca413e38bd9f7036c1c9c3673a6483b28d9b1518ddeefe5b02f14b95309b0ebf0bc3d3cdaaad5ad114fb96bfa2\
                  55d15d336b91e3ae4d29d8abc496fe
                R 0cdb04e1908b234a6aaf50373a50f009b207b7ece789dbd788b5e64c0c0fdf843116069c35b4ce978bd4cf6e68d483ac824f\
                  7009048041f5e1d1cef2b56e3ae429
                R 033c3819d8c7502dea670600d83977c981
                I 04738e7602ff145e8618fa57e059de90f0
                R 04546e19cf96b39a59f5b5142fd2e4dc97
                I 0d67655e80fad895fecf48aa85e40a9c59
                R 0d3db0f3446ed10302a530f49eb9519869
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-passkey",
            method: .passkey,
            privateKeys: [
                "cb7af50c572862df1bb4537579d6aba167778f5cf0b159800e18657b65df6b29",
                "4b4aee2bae3a7c748dd4e1ca62822cf4173763718ede0f66030ad7a9f921f963",
            ],
            digits: 960675,
            key: "f86e3a0d3850e7e60e466e17c743738c",
            text: """
                I 0104000d100303
                R 0202000d100303
                I 0c145dc1693c59147354f1f7cdccfe9686acb1e2849a0c63c2842a7fcbf8432fea611ee8abd8eac2df47b08490e35b1ae381\
                  e78bf7ad86dbaa44d8fad126b650e4
                R 0c2e24c41af0a1c910028741f6849fd38399a49a4845563c69b55a70393ed5813fe9012061e8ac85ec8239890a3fcd1ec937\
                  4c0e17ffa720106b4a8104513fe3e8
                I 032e58ff9c6347be0dce85940cc2d4dfae
                R 038e69b73c3c3ea649e0bb4559d9cfc77d
                I 041708f4de4e96db9c339c4c1c28c4c927
                R 046cce9d53f0fb4f5213302a1e5e54c9d6
                I 03eb1f1d50e932e78bc66630ff2d988407
                R 03260bd5b7488433d5c64f0b342b20c599
                I 047ed53c8bf884d6b9a4db321fc22899fb
                R 04237524325eb9128cb9c55721af422d6f
                I 033ecc107baf7952d9aaf166057c2d6a61
                R 03c7465f9e0c3b49a40eda78fd5adae301
                I 0495ed67480644c4fdd56e4eb17e445e80
                R 04891c6a7a14bebf5e8ea822ea8814f3c0
                I 03f770002e0da0dadebd4bf82885945ee6
                R 036383bc76a156e0230f759b637b23f6c0
                I 044179f33a52534867c377857235c8e06f
                R 047e739441f22be086f040fc182fd46071
                I 03c71eee14363d6e65030054d24f424541
                R 03b27a886d235cb270bbd555db551a556d
                I 04548559ec55cdb4446d2c6ab926aab939
                R 04dd94747732d3afa168c4fac7550ec76e
                I 03cc77830e71c68a3d8b107d4f057340c7
                R 03fa4740870b1fa613b423f4e40d040037
                I 04a8dd840aefb3705c3a5ac76ffdda2ec6
                R 04232a425204bb494573ac53c627d53718
                I 0364dc0c429e591d618d039165356bfd6b
                R 03940103d473968ece9f453ec0178006da
                I 0453f6906e89f09cacef2753b445b1f088
                R 043c02282e54ca41668cf4f1fed79cd581
                I 0349fbab415da8829664ef31957f462b65
                R 03a37c1cb694abeccddb4b621f9a25f7cf
                I 04ad375e200d7bd37d48d12de3dd109746
                R 045df17d28bfb61c8fa8b73bc3b59cd7d9
                I 03da5b8f418cd7acfd7b005248c8f01763
                R 0362105a4b3cf3323eb3728d2d55a93d28
                I 0437d442a994baff3460e08b49389c338a
                R 04ea67ec16083c62b185e045c6ce73a666
                I 0372104e9967395245afa2eb916daa91b6
                R 034e704a183e0980ac5e4adf9be42cab67
                I 04a34de8bf3e5aa5a737c0a7cb19a877ff
                R 04db933d950d2359894fe71dae2d3f83bd
                I 0325820ca78023f2825ccbd72399fc249a
                R 03ea9075b65a5c7f7b9f86052d7df79b51
                I 04f6709a1940bbaedfa5f9f41a55e1978f
                R 04243971a78f6fc42acf78c4cdbb08328f
                I 0311c8b53effd8a9974e24c5643ae170a8
                R 03487bbe862271dc1ad792cd897f8170b9
                I 041562a55f5ec9df4a27751adca708fe40
                R 04bfa4f296cbe56ba48eec2e1d9cec7c93
                I 0316ed3bdce1f53afb941593fb2968edda
                R 031bb2dc000bc7fac4d522fd178c5a56e4
                I 046545f409314c7a71af63526d63848a76
                R 042d75dae5e7ab781e397782af125f49e3
                I 0391667f0f882bdbf3178fd9e706a8ded9
                R 03d88cfaaefebca57adb28fc57c4ea19ad
                I 045af939ba56d3fe5d1e22e3458753ab13
                R 04f72d5a0e464fe2790c6c43ab50b2cdfd
                I 0386f366eb0d3a814e1beafbabc299e4e7
                R 03ace27d5b97bca27ba1177c22fbe9aa67
                I 044692504db1798525080db20ba7dbac64
                R 04e3f7029b99a2d266c84dee9b025315c8
                I 034d76bf8173bcd193eea50b216e573382
                R 03041e4c4ff7c371256cfe07d158aa4ad2
                I 0428c4d131084e8cbd732fe1f838363142
                R 045e01e343e35daeb8db0ddc86a0508662
                I 0302509596e67f457ce04b1203f572b640
                R 0356da9f6fd1b42ec9de4fb9bec15e183e
                I 04c49b7ad9e889c30a5c283cf4c03beee7
                R 04c7d95052786863d932f1d41e0db11ebe
                I 033ebf8e584008c0129bb1b95298033b7f
                R 030c3036667e7f2b707f4845b2f6c20704
                I 04af289cc7123a0780a6d50bf1a1b16f15
                R 04a8e80ab90d388b06b1b9163b551d9b29
                I 030cae913faaf1581b2bf977cf7c05e42d
                R 030cb051d7d3d774b1a81b2bf682b14ed4
                I 047e7f75fd08c35cf4f307aa09e62b95d5
                R 041c111b0d222b153c1feedc3992f09185
                I 033fd47460a11c8295be9bef9ed7d8cc93
                R 033dac57e78059cfe2ccd2a15a58a3793d
                I 04d53cc5549594e01001ca6f36978da0f8
                R 04333497d493d891f57be90cdca2ec2455
                I 0d6f484f5fb56ca9e12e3f01ed345f6e46
                R 0dd9ad2671192628ee01e21255bf5acfc1
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-oob-both",
            method: .outOfBand,
            privateKeys: [
                "d2d63182049c56d041b65565db92fcfce67a814595b3849a76f5268e7701a113",
                "2734d0a987851cc3acde61c5f233cb3e5589d7d1436c6e8dee64ea9118aec820",
            ],
            outOfBand: ["5956a9f9cda88ae01908afdfbe6ccbd5", "b6e07746b5b92e54a75233409f4d7e2c"],
            key: "6bafa205665904310e312c8e16bb7489",
            text: """
                I 0103010d100303
                R 0203010d100303
                I 0c6155032bd8298b3a264e28d930c1e365d58cc444267dd106689bc3f2b2042454f9221608511ccdb55d87fb00ed01ed5be5\
                  b65b3f1b2d057dcf4fc9c66420872e
                R 0c0b9461ed91ed44c188df348b4ce498f4dc5613f565150bb58e3e9526cb51f13408abc988d1b511f5ac2183eb17064b5900\
                  803895058506e23997fe6b1fca57b0
                I 045956a9f9cda88ae01908afdfbe6ccbd5
                R 04b6e07746b5b92e54a75233409f4d7e2c
                I 0d5e2e4bb0b29137e9ffb2e24add36b50c
                R 0d4238ddb51bed6b31cbf2cc8c725b2ca4
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-oob-i",
            method: .outOfBand,
            privateKeys: [
                "fdb8d892961844df07770420f472cc86fe2e1bbdc8a59f1e48291bf96db709ac",
                "8a25811b3bea487e37fd1cec5a363319391d59a3cf7575c569044b564d276963",
            ],
            outOfBand: ["d1bed88de4838c80cae96101d3600268", "2225b11cad5a8cae29d9f11686b6b8f0"],
            key: "519bec8d6edecfdfda09191a4f733a86",
            text: """
                I 0103010d100303
                R 0203000d100303
                I 0ca95a62ac5b24acd14ed26639592815da50a9f95018ef7968d55f1786dae204b77ab8db04490135c1264cae2ba6a1d1fd59\
                  a5676f6a8be223267b0e5849d15b79
                R 0c56bfbfa3500fe87201b8be04f8d0ffae7130184b5587012aed1267830b2c13c1895214b85473ba6190cd890e233df143c0\
                  0c0d88fd99cff50194383f8a5461b2
                I 0400000000000000000000000000000000
                R 042225b11cad5a8cae29d9f11686b6b8f0
                I 0d3f9e26c114ce78cad5d5ef2d1639c466
                R 0dad42e72321acacdf8f8e57ddfe3e7dbe
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
        Transcript(
            name: "sc-oob-r",
            method: .outOfBand,
            privateKeys: [
                "9979ea40d32447c8267fd31887f47c476b439d2fab88d746d7618492cacd28e9",
                "89c7002dd269563a47846dc4f69602a1b04d43085a13c0e08c8d138652ab77e8",
            ],
            outOfBand: ["927ab85b1cf5a8e03f9d278177319c31", "824af3d73206a9bf9facb02eae56994e"],
            key: "541373b74fe2c23f38b7d1820e4c51be",
            text: """
                I 0103000d100303
                R 0203010d100303
                I 0c3d2969f4d9c6692554031d003a579010ccc6e10be438ae191731dfd01a787bb485ffdd15d01e1216a0c977f50ab6e1fbd3\
                  52502ff874b882a2b15c81f766027a
                R 0cd2dc86e58d118e6f7cec521b6bddbffdc32e3ae271de40b5e92d8f0c29a5169e72d824a543dcdb01de30195148bef40584\
                  9e0ac9ba2d8514f1c456af774355bb
                I 04927ab85b1cf5a8e03f9d278177319c31
                R 0400000000000000000000000000000000
                I 0dbbaa71b3cac463c331a54c0e193e5ed0
                R 0dfd22cca91708a479d35a1c26eedaac8b
                R 0800000000000000000000000000000000
                R 0900bbaa99887766
                I 0800000000000000000000000000000000
                I 0900554433221100
                """
        ),
    ]
}
