"""How programs lay letters out in HTML, as their sources read when this was written."""

from collections.abc import Callable, Sequence
from html import escape

Lines = Sequence[str]
_TB, _GMX = "<br>\n      ", "<br/>\n"


def _text(line: str) -> str:
    """A line as editors write it: leading and double spaces stay, by &nbsp;."""
    bare = line.lstrip(" ")
    lead = "&nbsp;" * (len(line) - len(bare))
    return lead + escape(bare, quote=False).replace("  ", " &nbsp;")


def _each(lines: Lines, begin: str, end: str, empty: str = "<br>") -> str:
    return "".join(f"{begin}{_text(line) or empty}{end}\n" for line in lines)


def _broken(lines: Lines, end: str = "<br>\n") -> str:
    return end.join(_text(line) for line in lines)


def gmail(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    head = f'<div dir="ltr" class="gmail_attr">{_broken(intro, " ")}<br></div>' if intro else ""
    return (
        f'<div dir="ltr">{_each(own, "<div>", "</div>")}</div><br>'
        f'<div class="gmail_quote gmail_quote_container">{head}'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{_broken(old)}</blockquote></div>'
        f"{_each(after, '<div>', '</div>')}\n"
    )


def apple(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    return (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: '
        f'after-white-space;">{_each(own, "<div>", "</div>")}'
        '<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>'
        f'{_broken(intro, " ")}</div><br class="Apple-interchange-newline"><div>'
        f"{_each(old, '<div>', '</div>')}</div></blockquote></div><br>"
        f"{_each(after, '<div>', '</div>')}</body></html>"
    )


def outlook(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    """Word's HTML; the copy stands below a rule, unquoted."""
    begin, end = '<p class="MsoNormal"><span lang="EN-US">', "<o:p></o:p></span></p>"
    heads = "<br>\r\n".join(_bold(line) for line in intro)
    return (
        '<html xmlns:v="urn:schemas-microsoft-com:vml" '
        'xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">'
        '<head><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--\n'
        "/* Font Definitions */\n@font-face {font-family:Calibri;}\np.MsoNormal, li.MsoNormal\n"
        "\t{margin:0cm;\n\tfont-size:11.0pt;}\n--></style><!--[if gte mso 9]><xml>\n"
        '<o:shapedefaults v:ext="edit" spidmax="1026" />\n</xml><![endif]--></head>'
        '<body lang="EN-US" link="#0563C1" vlink="#954F72" style="word-wrap:break-word">'
        f'<div class="WordSection1">{_each(own, begin, end, "<o:p>&nbsp;</o:p>")}'
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{heads}<o:p></o:p></p></div></div>'
        '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        f"{_each(old, begin, end, '<o:p>&nbsp;</o:p>')}{_each(after, begin, end)}"
        "</div></body></html>"
    )


def _bold(line: str) -> str:
    name, colon, rest = line.strip().strip("*").partition(":")
    return f"<b>{_text(name + colon)}</b>{_text(rest.lstrip('*'))}" if colon else _text(line)


def outlook_web(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    style = "font-family: Aptos, Calibri, Helvetica, sans-serif; font-size: 12pt; color: #000;"
    begin = f'<div class="elementToProof" style="{style}">\n'
    fields = [line for line in intro if set(line) != {"_"}]
    return (
        '<html><head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n'
        '<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n'
        f'</head>\n<body dir="ltr">\n{_each(own, begin, "</div>")}'
        '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" '
        f'color="#000000">{"<br>".join(_bold(line) for line in fields)}</font>\n<div>&nbsp;</div>\n'
        '</div>\n<div class="BodyFragment"><font size="2"><span style="font-size:11pt;">'
        f'<div class="PlainText">{_broken(old)}</div></span></font></div>\n'
        f"{_each(after, '<div>', '</div>')}</body>\n</html>\n"
    )


def thunderbird(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    return (
        '<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="Content-Type" content="text/html;'
        f' charset=UTF-8">\n  </head>\n  <body>\n    <p>{_broken(own, _TB)}</p>\n'
        f'    <div class="moz-cite-prefix">{_broken(intro, " ")}<br>\n    </div>\n'
        '    <blockquote type="cite"\n      cite="mid:ember.12-jump.red.report.9@example.org">\n'
        '      <pre class="moz-quote-pre" wrap="">'
        f"{escape(chr(10).join(old), quote=False)}\n</pre>\n    </blockquote>\n"
        f"    <p>{_broken(after, _TB)}</p>\n  </body>\n</html>\n"
    )


def yahoo(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    """No quotation but a box, as Yahoo writes it."""
    begin = '        <div dir="ltr" data-setdir="false">'
    return (
        '<html><head></head><body><div class="ydpb0yahoo-style-wrap" style="font-family:Helvetica '
        f'Neue, Helvetica, Arial, sans-serif;font-size:13px;"><div></div>\n'
        f"{_each(own, begin, '</div>')}<div><br></div>\n"
        '        </div><div id="yahoo_quoted_4711" class="yahoo_quoted">\n'
        "            <div style=\"font-family:'Helvetica Neue', sans-serif;font-size:13px;\">\n"
        f"                <div>{_broken(intro)}</div>\n                <div><br></div>\n"
        f'                <div><div id="yiv1"><div dir="ltr">{_broken(old)}</div></div></div>\n'
        f"            </div>\n        </div>{_each(after, '<div>', '</div>')}</body></html>"
    )


def proton(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    begin = '<div style="font-family: Arial, sans-serif; font-size: 14px;">'
    return (
        f"{_each(own, begin, '</div>')}"
        f'<div class="protonmail_quote">\n        {_broken(intro, "<br>")}<br>\n        '
        f'<blockquote class="protonmail_quote" type="cite">\n            {_broken(old)}\n\n'
        f"        </blockquote><br>\n    </div>{_each(after, '<div>', '</div>')}"
    )


def gmx(own: Lines, intro: Lines, old: Lines, after: Lines) -> str:
    heads = "<br/>\n".join(_bold(line.removeprefix("> ")) for line in intro)
    return (
        '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">'
        f"{_each(own, '<div>', '</div>', '&nbsp;')}\n<div>&nbsp;\n"
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
        'border-left:2px solid #C3D9E5; word-wrap: break-word;">\n'
        f'<div style="margin:0 0 10px 0;">{heads}</div>\n\n<div name="quoted-content">'
        f"{_broken(old, _GMX)}</div>\n</div>\n</div>{_each(after, '<div>', '</div>')}"
        "</div></body></html>"
    )


MANNERS: dict[str, Callable[[Lines, Lines, Lines, Lines], str]] = {
    "gmail": gmail,
    "apple": apple,
    "outlook": outlook,
    "outlook-web": outlook_web,
    "thunderbird": thunderbird,
    "yahoo": yahoo,
    "proton": proton,
    "gmx": gmx,
}
