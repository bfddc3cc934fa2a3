import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
for i in range(2):
    fib(20)
    json.dumps([{'a': k, 'b': str(k)} for k in range(20000)])
    re.findall(r'(a|b)+c', 'ab' * 2000 + 'c')
    sorted((str(k) for k in range(20000)), key=lambda s: s[::-1])
