"""A class: each submission is graded once, wherever there is room, and kept the moment it is done."""

from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool

from attn_grader.unit import Result, grade, ungraded

RETRIES = 2  # of a submission whose machine or process went away under it


class Batch:
    """The work on a list of submissions.

    store: where results go.   settings: of all of them.   executor: () -> a concurrent.futures.Executor; called
    again if it breaks.   room: how many submissions may be with it at once.   told: called with each result.
    """

    def __init__(self, store, settings, executor, *, room=4, told=lambda result: None):
        self.store, self.settings, self.executor, self.room, self.told = store, settings, executor, room, told

    def run(self, submissions):
        """Grade what has no result yet, then what ran out of time once more, alone.  -> list of results, in order

        Whatever interrupts it, results that are done stay, and the next run goes on from there.
        """
        kept = {submission.name: self.store.get(submission) for submission in submissions}
        waiting = [submission for submission in submissions if kept[submission.name] is None]
        for submission, result in self.completed(waiting):
            self.keep(submission, result, kept)
        for submission in waiting:
            if kept[submission.name].endless:
                again = grade(submission, self.settings)  # nothing else of ours runs beside it now
                self.keep(submission, better(kept[submission.name], again), kept)
        return [kept[submission.name] for submission in submissions]

    def keep(self, submission, result, kept):
        """Write a result down, then say so."""
        self.store.put(submission, result)
        kept[submission.name] = result
        self.told(result)

    def completed(self, submissions):
        """(submission, result) pairs as they are done. A machine that dies costs its submissions another try."""
        tries, queue, running = dict.fromkeys((s.name for s in submissions), 0), deque(submissions), {}
        pool = self.executor()
        try:
            while queue or running:
                while queue and len(running) < self.room:
                    submission = queue.popleft()
                    tries[submission.name] += 1
                    running[pool.submit(grade, submission, self.settings)] = submission
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    submission = running.pop(future, None)
                    if submission is None:  # came back with a pool that broke
                        continue
                    error = future.exception()
                    if error is None:
                        yield submission, future.result()
                    elif tries[submission.name] <= RETRIES:
                        queue.append(submission)
                    else:
                        yield submission, self.lost(submission, error)
                    if isinstance(error, BrokenProcessPool):  # it takes no more work: all that it had comes back
                        queue.extend(running.values())
                        running.clear()
                        pool.shutdown(wait=False)
                        pool = self.executor()
        finally:
            for future in running:
                future.cancel()
            pool.shutdown(wait=False)

    def lost(self, submission, error):
        """The result of a submission that could not be brought back: ungraded, with the reason."""
        reason = f"its machine was lost {RETRIES + 1} times: {type(error).__name__}"
        marks = tuple(ungraded(exercise, reason) for exercise in self.settings.exercises)
        return Result(submission.name, self.settings.digest, marks, submission.skipped)


def better(first, again):
    """A second try stands where it came to an end: each exercise keeps the mark of the try that says more."""
    rank = {"ungraded": 0, "timeout": 1}
    marks = tuple(max(pair, key=lambda mark: rank.get(mark.status, 2))
                  for pair in zip(again.marks, first.marks, strict=True))  # fmt: skip
    return Result(again.submission, again.settings, marks, again.skipped)


def shard(submissions, part, parts):
    """Every `parts`-th submission, from the `part`-th on, counted from 1. Raises ValueError for a part that is none."""
    if not 1 <= part <= parts:
        raise ValueError(f"shard: {part}/{parts} is no part: the first is 1/{parts}, the last {parts}/{parts}")
    return submissions[part - 1 :: parts]
