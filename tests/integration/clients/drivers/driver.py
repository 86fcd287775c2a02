"""
Uses the program of the page, which is cache.py beside this file. Each line of standard input is a question: `kept` uses the cache made first, `new`
makes another. Each answer is a line, `ok` or what went wrong.
"""
import sys

from cache import new_cache

kept = None
for question in sys.stdin:
    try:
        if question == "new\n" or kept is None:
            cache = new_cache()
            kept = kept or cache
        else:
            cache = kept
        cache.set("page", "told")
        value = cache.get("page")
        print("ok" if value in ("told", b"told") else "the value is %r" % value, flush=True)
    except Exception as error:
        print(" ".join(repr(error).split()), flush=True)
