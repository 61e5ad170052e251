// Part of transaction/record: its end.
)
RETURN ids
