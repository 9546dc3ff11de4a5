"""Words and signs that turn a statement round, in the languages most documents are in.

What stands in no list is not noticed: the place of a passage is right all the same, only its meaning is not looked at.
"""

import re
import unicodedata

_WORDS = """
    no not never none nor neither without cannot nothing nobody except
    nicht kein keine keinen keinem keiner nie niemals ohne
    ne pas jamais aucun aucune sans ni
    nunca sin ningún ninguna nada tampoco não nem sem nenhum non mai senza nessun nu nici fără
    niet geen nooit zonder inte ikke ingen aldrig utan uden nigdy bez ani żaden
    не нет ни нельзя никогда без hayır değil yok لا لم لن ليس ليست بدون غير
    नहीं न मत না নয় নেই không chưa tidak bukan jangan
"""

NEGATIONS = frozenset(unicodedata.normalize("NFC", word) for word in _WORDS.split())
"""Case-folded, NFC."""

NEGATING_SIGNS = re.compile("|".join([*"不没沒無无非未勿莫別别否", "ない", "なし", "ません", "않", "없", "아니", "ไม่"]))
"""Where words are not set apart by blanks. Each by itself, for then `re` passes over all else: three times faster."""
