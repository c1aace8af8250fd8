"""Words that mail programs put around what people write, in the languages of their users."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split("|"))


WROTE = _words(
    "wrote|writes|schrieb|schreibt|geschrieben|écrit|escribió|escreveu|ha scritto|scrisse|schreef"
    "|geschreven|skrev|kirjoitti|napisał|napisana przez|pisze|napsal|napísal"
    "|írta|yazd\u0131|yazm\u0131ş"
    "|va escriure|a scris|έγραψε|написал|пишет|пише|написав|сообщил|כתב|kirjutas|rašė|rakstīja"
    "|書きました|のメール|のメッセージ|写道|寫道|写到|작성|đã viết|menulis|เขียน"
    "|forwarded message|weitergeleitete|réexpédié|transféré|reenviado|encaminhada|inoltrato"
    "|doorgestuurd|videresendt|vidarebefordrat|välitetty viesti|przekazana wiadomość"
    "|original message"
)
"""In a line that introduces a quotation, in lower case."""

SENDERS = frozenset(
    _words(
        "from|von|de|da|van|fra|från|od|lähettäjä|feladó|kimden|gönderen|από|от|от кого|від"
        "|差出人|送信者|发件人|寄件者|보낸 사람|보낸사람"
        "|expéditeur|absender|afzender|mittente|remitente"
    )
)
"""What the header of a copied letter calls its writer, in lower case."""

HEADS = frozenset(
    _words(
        "sent|date|to|subject|cc|reply-to|gesendet|datum|an|betreff|envoyé|envoyé le|à|objet"
        "|enviado|enviado el|enviada em|enviado em|fecha|data|para|asunto|assunto"
        "|inviato|a|oggetto|verzonden|aan|onderwerp|sendt|dato|til|emne|skickat|till|ämne"
        "|lähetetty|päiväys|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|predmet"
        "|elküldve|dátum|címzett|tárgy|tarih|kime|konu|ημερομηνία|προς|θέμα"
        "|отправлено|дата|кому|тема|надіслано|送信日時|日時|日付|宛先|件名"
        "|发送时间|日期|收件人"
        "|主题|寄件日期|收件者|主旨|보낸 날짜|보낸날짜|받는 사람|받는사람|제목"
    )
)
"""What it calls the rest."""
