"""The team's table: records people wrote, in and out of every form they keep them in.

``reading.read_table`` takes bytes and gives records, with a problem for each row that is not plain;
``writing.write_table`` takes records and gives bytes; ``consistency.inconsistencies`` says what a table holds against
itself. Reading what was written gives the same records; the old text export alone has no place for number, title, date,
analyst and batch. Nothing here opens a file.
"""
