"""How an answer is run, compared and diagnosed; nothing here knows an exercise."""
