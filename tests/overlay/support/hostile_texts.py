"""About 200 texts with which a bot's author might try to break a page."""

# ruff: noqa: E501, RUF001 (payloads must not be changed)
from itertools import product

_CALL = "window.robbed=1"
_TAGS = (
    "script", "img", "svg", "iframe", "object", "embed", "video", "audio", "body", "details", "marquee", "style", "math", "base",
)  # fmt: skip
_TAG_TEMPLATES = (
    "<{tag} src=x onerror={call}>",
    "<{tag} onload={call}>",
    "<{tag}>{call}</{tag}>",
    "</{tag}><{tag} onfocus={call} autofocus>",
    "'\"><{tag} src=javascript:{call}>",
    "<{tag}/src=data:text/html,<script>{call}</script>",
    "<!--<{tag}>--><{tag} ontoggle={call} open>",
    "<{tag} style=animation:x onanimationstart={call}>",
)
_OTHER_TEMPLATES = (
    "javascript:{call}", "{{{{constructor.constructor('{call}')()}}}}", "${{{call}}}", "#{{{call}}}", "<%= {call} %>",
    "{{% raw %}}{call}", "&lt;script&gt;{call}&lt;/script&gt;", "&#60;script&#62;{call}&#60;/script&#62;",
    "%3Cscript%3E{call}%3C/script%3E", "\\u003cscript\\u003e{call}", "]]><script>{call}</script>", "--><script>{call}",
    "'-{call}-'", '"-{call}-"', "`-{call}-`", "';{call}//", '";{call}//', "</title><script>{call}</script>",
    "</textarea><script>{call}</script>", "<svg><script>{call}</script></svg>", "<math><mtext></form><img src=x>",
    "<a href=javascript:{call}>x</a>", "<form action=javascript:{call}><button>", "<base href=//127.0.0.1/>",
    "<link rel=stylesheet href=//127.0.0.1/x.css>", "<meta http-equiv=refresh content=0;url=javascript:{call}>",
    "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "NaN", "[object Object]", "0", "-1",
    "data-suit=h", "class=card", "style=position:fixed", "\u202egnp.exe", "\u200b\u200b\u200b", "\ufeffzero", "a\u0300" * 20,
    "\u0000nul", "\u001b[31mred", "\u2028line", "\u2029paragraph", "\u00ad" * 10, "ﷺ" * 6, "𝕳𝖎𝖌𝖍 𝕹𝖔𝖔𝖓", "👩‍👩‍👧‍👦" * 3, "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "../../../../etc/passwd", "%2e%2e%2f", "//127.0.0.1/x.webp", "file:///etc/passwd", "data:image/svg+xml,<svg onload={call}>",
    "' OR 1=1 --", "; DROP TABLE bots", "$(touch x)", "`touch x`", "| cat", "<<EOF", "\\", "'", '"', "<", ">", "&", "&amp;",
    "&nbsp;" * 5, "<br>", "<hr>", "<b>bold</b>", "<plaintext>", "<xmp>", "<template>", "<slot>", "<dialog open>x</dialog>",
    "<input autofocus onfocus={call}>", "<select onfocus={call} autofocus>", "<keygen autofocus onfocus={call}>",
    "<table background=javascript:{call}>", "<isindex action=javascript:{call} type=image>", "<noscript><p title=\"</noscript><img src=x onerror={call}>\">",
    "<scr<script>ipt>{call}</scr</script>ipt>", "<IMG SRC=JaVaScRiPt:{call}>", "<img src=x:x onerror\u000b={call}>",
    "<img/src/onerror={call}>", "<svg/onload={call}//", "<x onclick={call}>click", "<style>@import'//127.0.0.1/x.css';</style>",
    "<style>*{{display:none}}</style>", "expression({call})", "url(javascript:{call})", "@import url(//127.0.0.1)", "</style><script>{call}</script>",
)  # fmt: skip

PAYLOADS = tuple(
    [template.format(tag=tag, call=_CALL) for template, tag in product(_TAG_TEMPLATES, _TAGS)]
    + [text.format(call=_CALL) for text in _OTHER_TEMPLATES]
)
