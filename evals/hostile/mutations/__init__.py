"""Ways to make a true claim false, one small function each (see `evals.hostile.lies` for the contract)."""

from __future__ import annotations

from collections.abc import Mapping

from evals.hostile.lies import Falsehood, Mutation
from evals.hostile.mutations import empty, measures, names, places, relations, untold

MUTATIONS: Mapping[Falsehood, Mutation] = {
    Falsehood.WRONG_PATH: places.wrong_path,
    Falsehood.UPSTREAM_PATH: places.upstream_path,
    Falsehood.WRONG_LINE: places.wrong_line,
    Falsehood.WRONG_RELATION: relations.wrong_relation,
    Falsehood.LISTED_AS_REGISTERED: relations.listed_as_registered,
    Falsehood.NEGATION: relations.negation,
    Falsehood.WRONG_COUNT: measures.wrong_count,
    Falsehood.INVENTED_SYMBOL: names.invented_symbol,
    Falsehood.OTHER_SCOPE: names.other_scope,
    Falsehood.OTHER_SYMBOL: names.other_symbol,
    Falsehood.FOREIGN_TEST: places.foreign_test,
    Falsehood.SWAPPED_ID: places.swapped_id,
    Falsehood.UNKNOWN_ID: places.unknown_id,
    Falsehood.FALSE_MISS: names.false_miss,
    Falsehood.UNCITED: relations.uncited,
    Falsehood.WRONG_DETAIL: measures.wrong_detail,
    Falsehood.WRONG_COPY_STATE: measures.wrong_copy_state,
    Falsehood.AGAINST_FLAGS: measures.against_flags,
    Falsehood.FALSE_CLOSENESS: relations.false_closeness,
    Falsehood.UPSTREAM_ACT: relations.upstream_act,
    Falsehood.NONSENSE: empty.nonsense,
    Falsehood.EFFECT: untold.effect,
    Falsehood.CONDITION: untold.condition,
    Falsehood.EVERYDAY_WORDS: untold.everyday_words,
}
