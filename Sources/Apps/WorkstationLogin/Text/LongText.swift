/// What `Send long text` sends: 4409 bytes of ASCII, a story in something like Latin and then in English.
///
/// It ends in END so that it is obvious whether the end has come; the letters are part of the text.
public enum LongText {
    public static let text = """
        Mane sol per fenestram altam in officinam venit et mensas longas tarde calefacit. Prima intrat mulier \
        quae claves portat, lumen accendit, aquam in ollam fundit et paulum silet. Machinae dormiunt, lucernae \
        parvae rubent, chartae heri relictae in angulo iacent. Mox alii veniunt, pallia ponunt, nomina sua sciunt \
        sed numeros suos obliti sunt. Quisque ad mensam suam it, quattuor notas in vitro legit, manum ad pectus \
        admovet, et ianua quae non videtur aperitur. Nemo verba secreta clamat, nemo chartulam sub tabula \
        quaerit. Qui abit, post se claudit, etiamsi nihil claudere meminit. Interea undae per aerem currunt, \
        breves et multae, quas nemo audit nisi qui auscultare novit. Una undarum perit, altera repetitur, tertia \
        sero venit, et tamen epistula integra manet. Sic rivus parvus inter lapides fluit: impeditur, circumit, \
        expectat, et ad mare pervenit. Meridie panis frangitur, fabulae narrantur, unus de pluvia queritur, alter \
        de pretio olei. Post meridiem calor crescit, oculi graves fiunt, horologium lente ambulat. Tum aliquis \
        longum textum mittit ut videat num totus perveniat, et alius in altera parte litteras numerat. Si una \
        deest, iterum incipiunt; si nulla deest, rident. Vespere umbrae longae sunt, sellae vacuae, et mulier \
        quae claves portat omnia circumspicit. Lumen exstinguit, ianuam claudit, per viam domum ambulat. In \
        officina silentium est, sed machina una vigilat et numerum suum lucere iubet: hic sum, cras redite. Ita \
        dies transit, et nihil magnum factum est, et omnia recte facta sunt. Qui haec legit usque ad finem, sciat \
        nihil ei esse subtractum, neque litteram neque punctum. Nam quod partitum est, iterum iunctum est, et \
        quod tardum fuit, tamen advenit.
        In the morning the sun comes through the high window into the workshop and slowly warms the long tables. \
        The first to enter is a woman who carries the keys; she lights the lamp, pours water into the pot and \
        says nothing for a while. The machines are asleep, little lamps glow red, the papers that were left \
        yesterday lie in the corner. Soon the others come, hang up their coats, know their names and have \
        forgotten their numbers. Each goes to a table, reads four digits on the glass, puts a hand to the breast, \
        and a door that cannot be seen opens. Nobody shouts secret words, nobody looks for a slip of paper under \
        the board. Whoever leaves closes the door behind them, even if they do not remember to close anything. \
        Meanwhile waves run through the air, short and many, which nobody hears but those who know how to listen. \
        One of the waves is lost, another is repeated, a third comes late, and still the letter stays whole. So a \
        small stream flows between stones: it is hindered, goes around, waits, and reaches the sea. At noon bread \
        is broken, stories are told, one complains of the rain, another of the price of oil. In the afternoon it \
        grows hot, eyes become heavy, the clock walks slowly. Then somebody sends a long text to see whether all \
        of it arrives, and somebody else at the other end counts the letters. If one is missing they begin again; \
        if none is missing they laugh. In the evening the shadows are long, the chairs empty, and the woman who \
        carries the keys looks at everything once more. She puts out the light, locks the door, walks home along \
        the road. In the workshop there is silence, but one machine stays awake and lets its number shine: here I \
        am, come back tomorrow. So the day goes by, and nothing great was done, and everything was done right. \
        Whoever has read this to its end may know that nothing was taken away, no letter and no full stop. For \
        what was divided was joined again, and what was slow arrived all the same. Here the story might be over. \
        But a text that is to be sent over a narrow bridge has to be long enough that the bridge is noticed, and \
        this one was too short by a few lines when its letters were first counted. So the woman with the keys may \
        come back once more the next morning, find the lamp where she left it, the machine awake and the number \
        lit, and say what she says every day: good, then let us begin. And if anybody asks why she counts the \
        chairs before she sits down, she will answer that whoever counts at the beginning does not have to search \
        at the end, which is also the whole secret of sending letters through the air, where what is counted, and \
        only what is counted, can be missed, asked for and sent again. And now the lamp is out, and the key has \
        been turned. END
        """
}
