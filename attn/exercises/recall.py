"""What a learner's own record brings back: mistakes made, the section that cures each, and a mixed sheet."""

from attn.exercises import catalogue
from attn.exercises.report import section

MOST = 5
EVERYWHERE = {  # what is recognised in every exercise
    "overwrites_input": "It overwrote one of its inputs.",
    "keeps_state": "It answered the same question differently the second time.",
    "library_call": "It called the library's function for what was to be written.",
    "whole_numbers": "It cut off what stands behind the point.",
    "first_digits": "It was right to the first digits only.",
    "rounded": "It rounded its result.",
    "left_at_zero": "It filled the first row only.",
    "last_left_at_zero": "It left the last row at 0.",
    "part_left_at_zero": "It left some rows or columns at 0.",
    "part_only": "It returned a part of what was asked for.",
    "shape_only": "It returned the right numbers in another shape.",
    "order_only": "It returned the right numbers in another order.",
    "signs_lost": "It lost the signs.",
    "result_transposed": "It returned the transpose.",
    "axes_exchanged": "It exchanged two axes.",
    "truth_values": "It returned truth values in place of numbers.",
    "more_results": "It returned another number of results than was asked for.",
    "results_exchanged": "It returned the two results in each other's place.",
    "shapes": "It returned arrays of other shapes than were asked for.",
    "returns_nothing": "It returned nothing.",
    "not_numbers": "It returned something that is not an array of numbers.",
    "running": "It never started a new sum.",
    "same_row": "It filled one array again and again.",
    "returns_list": "It returned a list.",
    "shorter_float": "It computed in a shorter float.",
    "not_summed": "It left a sum out.",
    "not_picked": "It returned several parts where one was asked for.",
    "none_inside": "It returned a list that held None.",
    "tuples_in_a_list": "It returned a list of tuples.",
    "ragged": "It returned parts of several shapes.",
    "stops_on_some_sizes": "It stopped with an error on some sizes, and was right on others.",
    "only_at_the_edge": "It went wrong where a size is 0 or 1.",
    "soft": "It gave the right token the largest weight, but not enough.",
    "shared_weight": "It shared the weight between two tokens.",
    "infinite_scores": "Its scores were infinite.",
    "elsewhere": "It looked at another token.",
    "units": "It gave another unit.",
    "near": "It came near the number asked for.",
}


def made(record, upto=None):
    """The mistakes on record, in the order of the book, of chapters up to one.  -> [(exercise, [(id, did, ask)])]"""
    from attn.exercises.checks.usual import NAMED  # here: whoever imports the exercises need not wait for it

    found = []
    for exercise in catalogue.every():
        if upto is not None and exercise.chapter > upto:
            continue
        known = {m.id: (m.id, m.did, m.ask or exercise.hints[0]) for m in exercise.misconceptions}
        ids = record.entry(exercise.id).get("mistakes")
        others = EVERYWHERE | {id: f"It {words}." for id, words in NAMED.items()}
        known |= {id: (id, did, exercise.hints[0]) for id, did in others.items() if id not in known}
        mine = [known[id] for id in ids if id in known] if isinstance(ids, list) else []
        if mine:
            found.append((exercise, mine))
    return found


def mistakes(record):
    """The learner's page: each mistake made, whether the exercise has passed since, and what to read.  -> str"""
    lines = []
    for exercise, mine in made(record):
        mark = "✓" if record.passed(exercise.id) else "·"
        places = dict.fromkeys(section(*exercise.place((id,))) for id, _, _ in mine)
        lines.append(f"{mark} {exercise.id}  {exercise.title}. Read: {'; '.join(places)}")
        lines += [f"       {did}" for _, did, _ in mine]
    if not lines:
        return "No mistake is on record yet. Every check that names one notes it here."
    return "\n".join(["Mistakes that a check has named (✓ passed since), and the section that cures each:", *lines])


def sisters(record, ids, upto):
    """Exercises not passed yet in which the same mistakes can be made."""
    return [
        exercise.id
        for exercise in catalogue.every()
        if (upto is None or exercise.chapter <= upto)
        and not record.passed(exercise.id)
        and ids & {m.id for m in exercise.misconceptions}
    ]


def sheet(record, upto=None):
    """A mixed sheet: up to five of the learner's own mistakes, of different chapters first, to be met again.  -> str"""
    where = f" of chapters 1 to {upto}" if upto else ""
    found = made(record, upto)
    if not found:
        return f"Nothing to bring back yet: no check has named a mistake in the exercises{where}."
    lines = [f"Mixed review{where}: what tripped you before. Write each afresh, without looking, then check it."]
    for exercise, mine in mixed(found)[:MOST]:
        id, did, ask = mine[-1]
        name = exercise.call.partition("(")[0]
        lines += [
            f"{exercise.id}  {exercise.title}",
            f"       Once: {did}",
            f"       First ask yourself: {ask}",
            f'       Then: check("{exercise.id}", {name})',
        ]
        if others := [other for other in sisters(record, {id}, upto) if other != exercise.id]:
            lines.append(f"       The same mistake waits in {', '.join(others[:4])}.")
    return "\n".join(lines)


def mixed(found):
    """The entries in another order: most mistakes first, and no two neighbours of one chapter if possible."""
    left = sorted(found, key=lambda entry: -len(entry[1]))
    order = []
    while left:
        last = order[-1][0].chapter if order else None
        k = next((k for k, (exercise, _) in enumerate(left) if exercise.chapter != last), 0)
        order.append(left.pop(k))
    return order
