"""Text from outside leaves harmless: by example, and as properties over hostile text."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewbot.render.scrub import clean, scrub, scrub_line
from reviewbot.render.secrets import redact
from reviewbot.render.words import SECRET

# fmt: off
PIECES = [
    "@user", "@org/team", "/lgtm", "/merge now", "compile", "retry", "retry foo", "stop", "get-log", "/check-cla", "> ",
    "- ", "**", "\n", "\r\n", "\u2028", "\x85", " ", "\t", "<b>", "</details>", "&#64;", "&commat;", "&lt;", "&", "|",
    "<!-- reviewbot:comment v1 key=x -->", "http://evil.com/x", "https://user:pw@evil.com", "www.evil.com", "`",
    "//evil.com", "](", "][", "[a](b)", "```", "~~~", "\u200b", "\u202e", "\ufeff", "\ud800", "\ufe0f", "\u2800",
    "\x1b[31m", "\x00", "ghp_abcdefgh12345678", "sk-", "abcdefghijklmnop", "Bearer ", "AKIA", "ABCDEFGHIJKLMNOP",
    "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "是", "，", "=1+1", "\\", "_", ".", ":", "/",
    "@", "<", "x", "1", "「", "」", "＠", "【", "】", "eyJabcdefghij.abcdefgh.x",
]
# fmt: on
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
COMMANDS = re.compile(
    r"[ \t>*+|`_#.)\d-]*(?:/[a-z][\w-]*([^\w/.-].*)?"
    r"|(?:compile|retry|stop|get-log|merge|lgtm|approve|recheck|retest|rebuild|check-cla)(?:\s+[\w./:#+-]+){0,2}\s*)",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@user please", "＠user please"),
        ("a @ b", "a @ b"),
        ("me@host.org", "me＠host.org"),
        ("/lgtm", "／lgtm"),
        ("  /approve cancel", "  ／approve cancel"),
        ("> /merge", "> ／merge"),
        ("走 /merge 流程", "走 /merge 流程"),
        ("/usr/lib", "/usr/lib"),
        ("RETRY", "「RETRY」"),
        ("retry build-x86", "「retry build-x86」"),
        ("compile the whole tree again now", "compile the whole tree again now"),
        ("先 compile 再运行", "先 compile 再运行"),
        ("<!-- reviewbot:comment v1 key=x -->", "＜!-- reviewbot:comment v1 key=x -->"),
        ("a < b，List<int>", "a < b，List＜int>"),
        ("&#64;user &amp; R&D a && b", "＆#64;user ＆amp; R&D a && b"),
        ("[click](http://evil.com)", "[click] (http[:]//evil[.]com)"),
        ("https://github.com/a/b", "https[:]//github[.]com/a/b"),
        ("www.evil.com", "www[.]evil.com"),
        ("//evil.com/x", "/ /evil.com/x"),
        ("a//b.py // c", "a//b.py // c"),
        ("a\u200bb\u202ec\ufeff\x1b[0m", "abc[0m"),
        ("一\r\n二\u2028三", "一\n二\n三"),
        ("```python", "'''python"),
        ("torch_npu/_inductor/ir.py:12,40-42", "torch_npu/_inductor/ir.py:12,40-42"),
        ("linalg_polar 0 命中", "linalg_polar 0 命中"),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert scrub(text) == expected


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_0123456789abcdefABCD",
        "ghs_123456_eyJhbGciOi.J9abc-def_ghi",
        "github_pat_11ABCDEFG0123456789_abcdef",
        "glpat-0123456789abcdefABCD",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-proj-0123456789abcdefghij",
        "xoxb-1234567890-abcdef",
        "AIzaSyA0123456789abcdefghijklmnop",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\nBBBB\n-----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB",
        "gh\u200bp_0123456789abcdefABCD",
    ],
)
def test_secrets(secret: str) -> None:
    assert clean(f"前 {secret} 后").startswith(f"前 {SECRET}")
    for piece in re.findall(r"[A-Za-z0-9]{8,}", secret):
        assert piece not in clean(f"值{secret}")


def test_secrets_beside_a_name() -> None:
    assert redact("https://oauth2:tok3n@gitcode.com/a") == f"https://{SECRET}gitcode.com/a"
    assert redact("PRIVATE-TOKEN: abcdefgh1234") == f"PRIVATE-TOKEN: {SECRET}"
    assert redact("?access_token=abcdefgh1234&x=1") == f"?access_token={SECRET}&x=1"


@pytest.mark.parametrize("text", ["sk-learn", "task-0123456789abcdefgh", "ghp_", "risk-taking", "AKIAx", "eyJ.eyJ"])
def test_no_secrets(text: str) -> None:
    assert redact(text) == text


@given(HOSTILE)
@example("http://evil.(x)")
@example("<@x")
@example("&amp;#64;x")
@example("re\u200btry")
@example("ghp_abcdefg@x")
@example("/lgtm.")
def test_scrubbing_twice_changes_nothing(text: str) -> None:
    once = scrub(text)
    assert scrub(once) == once
    assert scrub_line(scrub_line(text)) == scrub_line(text)


@given(HOSTILE)
def test_no_line_is_a_command(text: str) -> None:
    for line in scrub(text).split("\n"):
        assert not COMMANDS.fullmatch(line), line


@given(HOSTILE)
def test_nobody_is_mentioned(text: str) -> None:
    assert not re.search(r"@\w", scrub(text))
    assert "&#" not in scrub(text)
    assert not re.search(r"&[A-Za-z]+;", scrub(text))


@given(HOSTILE)
def test_no_html_no_link_no_fence(text: str) -> None:
    out = scrub(text)
    assert not re.search(r"<[A-Za-z/!?]", out)
    assert not re.search(r"[A-Za-z]://", out)
    assert "](" not in out
    assert "```" not in out


@given(HOSTILE)
def test_nothing_invisible(text: str) -> None:
    out = scrub(text)
    assert all(char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"} for char in out)
    out.encode("utf-8")


@given(HOSTILE)
def test_one_line_stays_one_line(text: str) -> None:
    assert "\n" not in scrub_line(text)
    assert "\t" not in scrub_line(text)


@given(st.text(alphabet="齿轮覆写引用，。（）：a_b. 0命中/py:12-E", max_size=40))
def test_ordinary_prose_is_left_alone(text: str) -> None:
    line = " ".join(text.split())
    if "//" not in line and not line.startswith("/") and not re.search(r"[a-z]://", line):
        assert scrub_line(line) == line or COMMANDS.match(line)
