#!/usr/bin/env python3
"""numbers.py ask FOLDED SEED COUNT        prints random questions about a picture, as JSON
numbers.py check FOLDED MISSING ANSWERS [OPTION ...]
                                         compares the answers with sums over the folded lines

OPTIONS are those of pflame.  MISSING is the number of boxes that the picture lacks.  If it is 0,
all numbers must be equal, otherwise the true number must be within the printed range."""
import json
import random
import re
import sys


class Stacks:
    def __init__(self, path):
        self.lines, self.slots, sums = [], 0, {}
        with open(path, encoding='utf-8', errors='surrogateescape') as f:
            for line in f:
                if line.startswith('#'):
                    m = re.match(r'# pfold by-second .*\bslots=(\d+)', line)
                    self.slots = int(m[1]) if m else self.slots
                    continue
                stack, weight = line.rstrip('\n').rsplit(' ', 1)
                names = stack.split(';')
                slot = round(float(names.pop(0)) * self.slots) if self.slots else 0
                key = tuple(names), slot
                sums[key] = sums.get(key, 0) + int(weight)
        marks = {}
        for (names, slot), weight in sums.items():
            texts = tuple(re.sub(r'_\[[a-z]\]$', '', n) for n in names)
            for text, name in zip(texts, names):
                marks.setdefault(text, set()).add(name)
            self.lines.append((names, texts, slot, weight))
        self.names = sorted(marks)
        # Boxes of functions that differ in their mark alone have the same text.
        self.double = {text for text, of in marks.items() if len(of) > 1}
        self.total = sum(line[3] for line in self.lines)
        self.last = max(line[2] for line in self.lines)

    def sum(self, has):
        return sum(weight for _, texts, slot, weight in self.lines if has(texts, slot))

    def boxes(self, has, step):
        """Counts the boxes of the whole picture whose text has(text).  step: -1 if it begins at the leaf."""
        return len({names[::step][:i + 1] for names, texts, _, _ in self.lines
                    for i, text in enumerate(texts[::step]) if has(text)})


def escaped(text):
    return re.sub(r'([\\^$.*+?()\[\]{}|/])', r'\\\1', text)


def ask(stacks, seed, count):
    draw = random.Random(seed)
    kinds = ['search', 'piece', 'focus', 'both', 'hide', 'reverse'] + ['range'] * (stacks.slots > 0) * 2
    weighty = [t for _, texts, _, _ in draw.choices(stacks.lines, [line[3] for line in stacks.lines], k=300)
               for t in texts]

    def name():
        return draw.choice(weighty if draw.random() < 0.6 else stacks.names)

    for i in range(count):
        kind, a, b = kinds[i % len(kinds)], name(), name()
        question = {'kind': kind, 'a': a, 'b': b}
        if kind == 'search':
            question['state'] = {'search': f'^({escaped(a)}|{escaped(b)})$', 'case': 1}
        elif kind == 'piece':
            at = draw.randrange(len(a))
            question['a'] = a[at:at + draw.randint(2, 9)]
            question['state'] = {'search': escaped(question['a']), 'case': 1}
        elif kind == 'focus':
            question['state'] = {'focus': a}
        elif kind == 'both':
            question['state'] = {'focus': a, 'with': f'/^{escaped(b)}$/'}
        elif kind == 'hide':
            question['state'] = {'hide': b, 'search': f'^{escaped(a)}$', 'case': 1}
        elif kind == 'reverse':
            question['state'] = {'reverse': 1, 'search': f'^{escaped(a)}$', 'case': 1}
        else:
            question['from'] = draw.randint(0, stacks.last)
            question['to'] = draw.randint(question['from'], stacks.last)
            question['state'] = {'range': f"{question['from']}-{question['to']}", 'focus': a}
        yield question


def bounds(text, unit):
    m = re.search(r'(?:([\d,.]+)%? to )?([\d,.]+) ?' + unit, text)
    if not m:
        raise ValueError(f'no number in: {text}')
    most = float(m[2].replace(',', ''))
    return float(m[1].replace(',', '')) if m[1] else most, most, m[1] is not None


def truth(stacks, answer):
    """Returns [text, unit, the true number, its rounding] of an answer, or None if the boxes of
    several functions have its text."""
    a, b, kind = answer['a'], answer['b'], answer['kind']
    if kind in ('search', 'piece', 'hide'):
        if kind == 'search':
            has = {a, b}.__contains__
        else:
            has = a.__eq__ if kind == 'hide' else lambda text: a in text
        if kind == 'hide' and a == b:
            return None
        part = stacks.sum(lambda texts, slot: any(map(has, texts)))
        return answer['matched'], '% matched', 100 * part / stacks.total, 0.00501
    if kind == 'reverse':
        path = answer.get('path')
        if not path or any('\u2026' in text or text in stacks.double for text in path):
            return None
        return answer['text'], 'units?', stacks.sum(
            lambda texts, slot: list(texts[::-1][:len(path)]) == path), 0
    begin, end = answer.get('from', 0), answer.get('to', stacks.last)
    return answer['subtitle'], 'units?', stacks.sum(
        lambda texts, slot: a in texts and (kind != 'both' or b in texts) and begin <= slot <= end), 0


def check(stacks, missing, answers, step):
    """Returns [compared, exact] and prints errors."""
    compared, exact, errors = 0, 0, []
    for answer in answers:
        wanted = truth(stacks, answer)
        if not wanted:
            continue
        text, unit, true, slack = wanted
        least, most, is_range = bounds(text, unit)
        compared += 1
        exact += not is_range
        if not least - slack <= true <= most + slack or (not missing and is_range):
            errors.append(f"{answer['state']}: printed {text!r}, true {true}")
        if answer['kind'] in ('search', 'piece') and not missing:
            has = {answer['a'], answer['b']}.__contains__ if answer['kind'] == 'search' \
                else lambda text, a=answer['a']: a in text
            frames = int(re.match(r'([\d,]+) frame', text)[1].replace(',', ''))
            if frames != stacks.boxes(has, step):
                errors.append(f"{answer['state']}: {frames} frames, true {stacks.boxes(has, step)}")
    for error in errors[:10]:
        print(error, file=sys.stderr)
    return compared, exact, errors


def main():
    stacks = Stacks(sys.argv[2])
    if sys.argv[1] == 'ask':
        json.dump(list(ask(stacks, sys.argv[3], int(sys.argv[4]))), sys.stdout)
        return 0
    with open(sys.argv[4], encoding='utf-8') as f:
        compared, exact, errors = check(stacks, int(sys.argv[3]), json.load(f),
                                        -1 if '--reverse' in sys.argv else 1)
    print(f'{compared} compared, {exact} without a range, {len(errors)} wrong')
    return 1 if errors or compared == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
