"""What out-of-office programs write, by language; a phrase per line, as a regular expression."""

import re

_PROGRAMS = r"""
automatic reply
automatic response
automated reply
automated response
auto[- ]?reply
auto[- ]?response
auto[- ]?responder
auto:
vacation (?:reply|response|message)
automatische antwort
automatische rückantwort
abwesenheits
automatische e?-?mail
autoantwort
réponse automatique
respuesta automática
resposta automática
risposta automatica
automatisch antwoord
automatische beantwoording
autosvar
automatisk svar
automatisk besvarelse
automaattinen vastaus
automaattivastaus
odpowiedź automatyczna
automatyczna odpowiedź
autoodpowiedź
automatická odpověď
automatická odpoveď
automatikus válasz
răspuns automat
otomatik yanıt
αυτόματη απάντηση
автоответ
автовідповідь
автоматический ответ
自動返信
自動応答
自动回复
自动答复
自動回覆
外出自动回复
자동 ?회신
자동 ?응답
resposta automàtica
תשובה אוטומטית
رد تلقائي
trả lời tự động
"""  # noqa: RUF001 - other languages have letters that look like English ones

_SUBJECT = r"""
out of (?:the )?office
ooo:
away from (?:my |the )?(?:office|desk)
abwesend:
urlaub:
i(?: am|'m) on (?:vacation|holiday|leave)
abwesenheit:
absence du bureau
absent du bureau
message d'absence
notification d'absence
fuera de (?:la )?oficina
fora do escritório
ausência temporária
fuori (?:sede|ufficio)
afwezig
niet aanwezig
ikke til stede
ikke på kontoret
frånvarande
poissa toimistosta
poissa:
poza biurem
mimo kancelář
házon kívül
ofis dışında
εκτός γραφείου
вне офиса
不在通知
不在のお知らせ
부재 ?중
fora de l'oficina
"""  # noqa: RUF001


_TEXT = r"""
this is an auto
automatically generated
automatic(?:ally)? (?:reply|response|message)
vacation responder
(?:be|am|i'm) (?:currently )?(?:out of|away from) (?:the |my )?office
(?:limited|no|without) access to (?:my )?e-?mail
on annual leave
on parental leave
i am (?:currently )?(?:on vacation|on holiday|on leave|away) (?:until|from|till|and)
i(?: am|'m|\u2019m) currently away
i will be (?:away|on vacation|on holiday|on leave) (?:until|from|till)
nicht im (?:büro|hause?)\b
au(?:ß|ss)er haus
automatisch (?:erstellt|erzeugt|generiert)
abwesenheits(?:notiz|nachricht|meldung)
(?:e-?)?mail(?:s)? (?:wird|werden) nicht weitergeleitet
ich bin (?:[a-zäöüß0-9.]{1,20} ){0,6}(?:abwesend|nicht erreichbar|im urlaub|verreist)
(?:derzeit|zurzeit|zur zeit|momentan|bis zum) .{0,40}(?:abwesend|nicht erreichbar|im urlaub)
(?:bis einschließlich|ab dem|vom) .{0,40}(?:abwesend|nicht erreichbar|im urlaub)
je suis (?:actuellement )?(?:absente?|en congés?|en vacances)
absente? du bureau
je serai absente?
réponse automatique
message automatique
estoy (?:fuera de la oficina|de vacaciones|ausente)
estaré (?:fuera|ausente|de vacaciones)
fuera de (?:la )?oficina
respuesta automática
mensaje automático
estou (?:de férias|ausente|fora)
estarei (?:ausente|fora|de férias)
fora do escritório
resposta automática
mensagem automática
fuori (?:ufficio|sede)
sono (?:in ferie|assente|fuori)
sarò (?:in ferie|assente|fuori)
risposta automatica
niet (?:op kantoor|aanwezig)
ben ik (?:afwezig|met vakantie|op vakantie)
ik ben .{0,40}(?:afwezig|met vakantie|op vakantie)
automatisch (?:antwoord|bericht)
(?:ikke|inte) på kontoret
(?:ude af|borte fra) kontoret
automatisk(?:t)? (?:svar|genereret|generert|genererat)
autosvar
jag är (?:ledig|borta|på semester)
jeg er på ferie
jeg holder ferie
fraværende
har semester
poissa (?:toimistolta|toimistosta|töistä)
olen (?:lomalla|poissa)
automaattinen (?:vastaus|viesti)
poza biurem
(?:jestem|będę) nieobecn
na urlopie
wiadomość (?:jest )?(?:wygenerowana )?automatyczn
odpowiedź automatyczna
automatyczna odpowiedź
mimo kancelář
na dovolené
automatická odpověď
automatikus válasz
házon kívül
szabadságon vagyok
răspuns automat
sunt în concediu
otomatik yanıt
ofis(?:te)? (?:dışındayım|değilim)
yıllık izinde
εκτός γραφείου
автоответ
автоматическ
(?:нахожусь |я )?в отпуске
отсутствую
вне офиса
у відпустці
自動返信
自動応答
不在にして
休暇(?:を|中)
自动回复
自动答复
自動回覆
不在办公室
休假
자동 ?회신
자동 ?응답
부재 ?중
휴가 ?중
"""  # noqa: RUF001


def compile_phrases(phrases: str, before: str = "") -> "re.Pattern[str]":
    """Any of the phrases, of which each stands on a line of its own."""
    return re.compile("|".join(before + line for line in phrases.strip().split("\n")))


AWAY_PROGRAMS = compile_phrases(_PROGRAMS, r"(?:\[[^\]]{0,60}\] {0,3})?")
"""How a subject begins, in lower case, that only programs write."""
AWAY_SUBJECT = compile_phrases(_PROGRAMS + _SUBJECT.lstrip("\n"))
"""Somewhere in a subject; people write it, too."""
AWAY_TEXT = compile_phrases(_TEXT)
"""In the first lines of a letter without orders."""
