"""Words that mail programs put around what people write, in the languages of their users."""

import re

_WROTE = (
    *("wrote", "writes", "schrieb", "schreibt", "a écrit", "écrit", "escribió"),
    *("escreveu", "ha scritto", "scrisse", "schreef", "skrev", "kirjoitti", "napisał"),
    *("napisała", "napisał\\(a\\)", "pisze", "napsal", "napsal\\(a\\)", "írta"),
    *(
        "написал",
        "написала",
    ),
    *("пишет", "сообщил"),
    *("yazd\u0131", "va escriure", "a scris", "έγραψε"),
    *("書きました", "のメッセージ", "写道"),
    *("写道", "寫道", "写到", "작성"),
    *("forwarded message", "weitergeleitete", "weitergeleiteten nachricht", "transféré"),
    *("reenviado", "encaminhada", "inoltrato", "doorgestuurd", "videresendt", "vidarebefordrat"),
    *("message réexpédié", "réexpédié", "original message"),
)
WROTE = re.compile("|".join(word if word[0] >= "\u3000" else rf"(?<!\w){word}" for word in _WROTE))
"""In a line that introduces a quotation."""

SENDERS = frozenset(
    (
        *("from", "von", "de", "da", "van", "fra", "från", "od", "lähettäjä"),
        *(
            "feladó",
            "kimden",
            "από",
            "от",
            "от кого",
        ),
        *(
            "差出人",
            "发件人",
            "寄件者",
            "보낸 사람",
        ),
        *("expéditeur", "absender", "afzender", "mittente", "remitente"),
    )
)
"""How a copied letter's first header line begins, in lower case."""

HEADS = frozenset(
    (
        *("sent", "date", "to", "subject", "cc"),
        *("gesendet", "datum", "an", "betreff"),
        *("envoyé", "envoyé le", "à", "objet"),
        *("enviado", "enviado el", "enviada em", "fecha", "data", "para", "asunto", "assunto"),
        *("inviato", "a", "oggetto"),
        *("verzonden", "aan", "onderwerp"),
        *("sendt", "dato", "til", "emne", "skickat", "till", "ämne"),
        *("lähetetty", "päiväys", "vastaanottaja", "aihe"),
        *("wysłano", "do", "temat", "odesláno", "komu", "předmět"),
        *("elküldve", "dátum", "címzett", "tárgy", "tarih", "kime", "konu"),
        *(
            "ημερομηνία",
            "προς",
        ),
        *(
            "отправлено",
            "дата",
        ),
        *("кому", "тема"),
        *("送信日時", "日付", "宛先", "件名"),
        *("发送时间", "日期", "收件人", "主题"),
        *("보낸 날짜", "받는 사람", "제목"),
    )
)
"""How one of the next header lines begins."""
