"""The ids of the rules of record: what errors, warnings, verdicts and tests may cite."""


def numbered(prefix, last):
    return [f"{prefix}{n}" for n in range(1, last + 1)]


RULE_IDS = {
    "crazy-lab": numbered("LAB-", 22) + numbered("L", 7),
    "ligretto-crazy": numbered("LIG-", 20) + numbered("G", 10),
    "the-academy": numbered("ACA-", 16) + numbered("Y", 14),
    "tricky-cribby": numbered("CRI-", 18) + numbered("T", 12),
    "crazy-race": numbered("RACE-", 22) + numbered("R", 17),
    "score-sheet": numbered("SHEET-", 12),
}
