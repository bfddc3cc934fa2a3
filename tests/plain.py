#!/usr/bin/env python3
"""plain.py [-v] - checks that comments, messages, manuals and READMEs use plain words.

Some words mark sentences that must be read twice: nouns like "what", places like "behind" for an
order, verbs of speech for programs, semicolons between sentences.  Each part of the tree may use
them as often as good manuals do, and must use "if" and "use" as often.  If a word is too frequent,
change the sentence, not the word.  With -v, prints the sentences that contain such a word.

Prints one line for each violation.  Exits with 1 if there are any.
"""
import os
import re
import sys
from glob import glob

# Word, and the highest number in 1,000 words.  Two occurrences are always allowed.
HIGHEST = [
    ("what", 1), ("where", 1.6), ("behind", 0.2), ("stand|stands|stood", 0.4),
    ("lie|lies|lay|lain", 0.3), ("say|says|said|tell|tells|told", 1.2), ("none", 0.5),
    ("nothing|nobody", 0.4), ("(?:that|those) of", 0.3), ("likewise", 0.2), ("whose|whom", 1.6),
]
SEMICOLONS = 6
# Word, and the lowest number in 1,000 words, for texts of 400 words or more.
LOWEST = [("if|when", 5), ("use|uses|used|using", 2)]
PSYM_WORDS, README_LINES, README_COLUMNS = 4000, 120, 100

STRING = r'"(?:[^"\\\n]|\\.)*"'
TOKEN = re.compile(r'/\*(?s:.*?)\*/|//[^\n]*|%s|\'(?:[^\'\\\n]|\\.)*\'' % STRING)


def comments(text):
    """Comments of C, JavaScript and CSS, without their marks."""
    found = (m.group() for m in TOKEN.finditer(text))
    return "\n\n".join(re.sub(r"^\s*(?:/?\*+/?|//)|\*/$", "", c, flags=re.M) for c in found if c[0] == "/")


def hash_comments(text):
    """Comments of shell scripts and makefiles."""
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line.lstrip("# ") for line in lines if line.startswith("#") and line[:2] != "#!")


def phrases(found):
    return "\n\n".join(s for s in found if len(re.findall("[A-Za-z]{2,}", s)) > 2)


def c_strings(text):
    """String literals of C with three words or more; adjacent ones are joined."""
    text = re.sub(r"/\*(?s:.*?)\*/|(?m:^\s*#\s*include.*$)", "", text)
    return phrases(re.sub(r'"\s*"', "", run)[1:-1] for run in re.findall(r"%s(?:\s*%s)*" % (STRING, STRING), text))


def script_strings(text):
    return phrases(m[1:-1] for m in re.findall(r"'[^'\n]*'|%s|`[^`]*`" % STRING, text))


def manual(text):
    """The text of a manual, without macros and escapes."""
    kept = []
    for line in text.split("\n"):
        if line.startswith(".Nd "):
            kept.append(line[4:])
        elif line[:1] not in (".", "'"):
            kept.append(re.sub(r"\\(?:f.|[&|-]|\(..)", "", line))
    return "\n".join(kept)


def markdown(text):
    text = re.sub(r"(?s)```.*?```", "", text)
    lines = (line for line in text.split("\n") if not line.startswith("    "))
    return re.sub("`[^`]*`", "x", "\n".join(lines))


def parts():
    """Name, text of each part of the tree."""
    def text_of(extract, *patterns):
        files = sorted(f for p in patterns for f in glob(p))
        return "\n\n".join(extract(open(f, errors="replace").read()) for f in files)

    for directory in sorted(d for d, _, _ in os.walk("lib")) + ["cmd"]:
        yield directory + ": comments", text_of(comments, directory + "/*.[ch]")
    yield "lib, cmd: strings", text_of(c_strings, "lib/*/*.[ch]", "lib/*/*/*.[ch]", "cmd/*.[ch]")
    for script in ("cmd/offbox-fetch", "cmd/resymbolize"):
        yield script + ": strings", text_of(script_strings, script)
    yield "scripts of cmd: comments", text_of(hash_comments, "cmd/offbox-fetch", "cmd/resymbolize")
    yield "share/flame: strings", text_of(script_strings, "share/flame/*.js")
    yield "share/flame: comments", text_of(comments, "share/flame/*.js", "share/flame/*.css")
    yield "build files: comments", text_of(hash_comments, "GNUmakefile", ".ci/run", "tests/*.sh",
                                           "share/*/*.sh", "share/*/*.awk")
    yield "manuals", text_of(manual, "share/man/man*/*.[1-9]")
    yield "share/NEWS", text_of(str, "share/NEWS")
    for page in glob("README.md") + glob("*/README.md"):
        yield page, text_of(markdown, page)


def violations(name, text):
    words = len(re.findall("[A-Za-z']+", text))
    is_message = name.endswith(": strings")

    def count(word):
        return len(re.findall(r"\b(?:%s)\b" % word, text, re.I))

    for word, most in HIGHEST + ([] if is_message else [(None, SEMICOLONS)]):
        n = count(word) if word else text.count(";")
        if n > 2 and n * 1000 > most * words and words >= 100:
            yield '%d of "%s" in %d words, %g in 1,000 are the most' % (n, word or ";", words, most)
    for word, least in LOWEST:
        n = count(word)
        if words >= 400 and n * 1000 < least * words and not is_message:
            yield '%d of "%s" in %d words, %g in 1,000 are the least' % (n, word, words, least)


def size_violations():
    words = len(open("share/man/man1/psym.1").read().split())
    if words > PSYM_WORDS:
        yield "share/man/man1/psym.1: %d words, %d are the most" % (words, PSYM_WORDS)
    lines = open("README.md").read().split("\n")[:-1]
    if len(lines) > README_LINES:
        yield "README.md: %d lines, %d are the most" % (len(lines), README_LINES)
    for i, line in enumerate(lines, 1):
        if len(line) > README_COLUMNS:
            yield "README.md:%d: %d columns, %d are the most" % (i, len(line), README_COLUMNS)


def main():
    os.chdir(os.environ.get("TOP") or os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    bad = 0
    marks = re.compile("|".join(r"\b(?:%s)\b" % word for word, _ in HIGHEST) + "|;", re.I)
    for name, text in parts():
        found = list(violations(name, text))
        bad += len(found)
        for violation in found:
            print("%s: %s" % (name, violation))
        if found and "-v" in sys.argv[1:]:
            for sentence in re.split(r"(?<=[.:])\s+|\n\s*\n", text):
                if marks.search(sentence):
                    print("    " + " ".join(sentence.split()))
    for violation in size_violations():
        bad += 1
        print(violation)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
