"""Words that mail programs put around what people write, in the languages of their users."""

import re

_WROTE = (
    *("wrote", "writes", "schrieb", "schreibt", "a \u00e9crit", "\u00e9crit", "escribi\u00f3"),
    *("escreveu", "ha scritto", "scrisse", "schreef", "skrev", "kirjoitti", "napisa\u0142"),
    *("napisa\u0142a", "napisa\u0142\\(a\\)", "pisze", "napsal", "napsal\\(a\\)", "\u00edrta"),
    *(
        "\u043d\u0430\u043f\u0438\u0441\u0430\u043b",
        "\u043d\u0430\u043f\u0438\u0441\u0430\u043b\u0430",
    ),
    *("\u043f\u0438\u0448\u0435\u0442", "\u0441\u043e\u043e\u0431\u0449\u0438\u043b"),
    *("yazd\u0131", "va escriure", "a scris", "\u03ad\u03b3\u03c1\u03b1\u03c8\u03b5"),
    *("\u66f8\u304d\u307e\u3057\u305f", "\u306e\u30e1\u30c3\u30bb\u30fc\u30b8", "\u5199\u9053"),
    *("\u5199\u9053", "\u5beb\u9053", "\u5199\u5230", "\uc791\uc131"),
    *("forwarded message", "weitergeleitete", "weitergeleiteten nachricht", "transf\u00e9r\u00e9"),
    *("reenviado", "encaminhada", "inoltrato", "doorgestuurd", "videresendt", "vidarebefordrat"),
    *("message r\u00e9exp\u00e9di\u00e9", "r\u00e9exp\u00e9di\u00e9", "original message"),
)
WROTE = re.compile("|".join(word if word[0] >= "\u3000" else rf"(?<!\w){word}" for word in _WROTE))
"""In a line that introduces a quotation."""

SENDERS = frozenset(
    (
        *("from", "von", "de", "da", "van", "fra", "fr\u00e5n", "od", "l\u00e4hett\u00e4j\u00e4"),
        *(
            "felad\u00f3",
            "kimden",
            "\u03b1\u03c0\u03cc",
            "\u043e\u0442",
            "\u043e\u0442 \u043a\u043e\u0433\u043e",
        ),
        *(
            "\u5dee\u51fa\u4eba",
            "\u53d1\u4ef6\u4eba",
            "\u5bc4\u4ef6\u8005",
            "\ubcf4\ub0b8 \uc0ac\ub78c",
        ),
        *("exp\u00e9diteur", "absender", "afzender", "mittente", "remitente"),
    )
)
"""How a copied letter's first header line begins, in lower case."""

HEADS = frozenset(
    (
        *("sent", "date", "to", "subject", "cc"),
        *("gesendet", "datum", "an", "betreff"),
        *("envoy\u00e9", "envoy\u00e9 le", "\u00e0", "objet"),
        *("enviado", "enviado el", "enviada em", "fecha", "data", "para", "asunto", "assunto"),
        *("inviato", "a", "oggetto"),
        *("verzonden", "aan", "onderwerp"),
        *("sendt", "dato", "til", "emne", "skickat", "till", "\u00e4mne"),
        *("l\u00e4hetetty", "p\u00e4iv\u00e4ys", "vastaanottaja", "aihe"),
        *("wys\u0142ano", "do", "temat", "odesl\u00e1no", "komu", "p\u0159edm\u011bt"),
        *("elk\u00fcldve", "d\u00e1tum", "c\u00edmzett", "t\u00e1rgy", "tarih", "kime", "konu"),
        *(
            "\u03b7\u03bc\u03b5\u03c1\u03bf\u03bc\u03b7\u03bd\u03af\u03b1",
            "\u03c0\u03c1\u03bf\u03c2",
        ),
        *(
            "\u043e\u0442\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e",
            "\u0434\u0430\u0442\u0430",
        ),
        *("\u043a\u043e\u043c\u0443", "\u0442\u0435\u043c\u0430"),
        *("\u9001\u4fe1\u65e5\u6642", "\u65e5\u4ed8", "\u5b9b\u5148", "\u4ef6\u540d"),
        *("\u53d1\u9001\u65f6\u95f4", "\u65e5\u671f", "\u6536\u4ef6\u4eba", "\u4e3b\u9898"),
        *("\ubcf4\ub0b8 \ub0a0\uc9dc", "\ubc1b\ub294 \uc0ac\ub78c", "\uc81c\ubaa9"),
    )
)
"""How one of the next header lines begins."""
