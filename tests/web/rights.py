"""Who may do what, as a table for people. The test tries every cell; a route without a row fails.

yes   it is done (or shown)
no    refused with a page in words, and nothing is changed
back  whoever has a seat at this night is led back to it, and nothing is changed
idle  it is so already: said in words (409), and nothing is changed

spectator   joined only to watch                       host         has no seat in the match
player      sits in the match                          former host  handed over, sits in the match
unseated    plays tonight, but not in this match       removed      sat in the match until the host removed them
elsewhere   the host of another night

Past nights: all of these are phones. What the browser on the machine itself may do is in test_past.py: it sees every night, and it alone
says who is who. `past.handed` and `past.take` need the code that is shown there.
All of them are on phones. What only the machine itself may do is `no` for everybody here, and has tests of its own.
"""

ROLES = ("nobody", "spectator", "player", "unseated", "host", "former host", "removed", "elsewhere")

TABLE = """
                                nobody  spectator  player  unseated  host  former-host  removed  elsewhere
static                          yes     yes        yes     yes       yes   yes          yes      yes
pages.home                      yes     yes        yes     yes       yes   yes          yes      yes
pages.htmx                      yes     yes        yes     yes       yes   yes          yes      yes
pages.choose_language           yes     yes        yes     yes       yes   yes          yes      yes
pages.health                    yes     yes        yes     yes       yes   yes          yes      yes
pages.ready                     yes     yes        yes     yes       yes   yes          yes      yes
pages.tv                        yes     yes        yes     yes       yes   yes          yes      yes
rules.index                     yes     yes        yes     yes       yes   yes          yes      yes
rules.game                      yes     yes        yes     yes       yes   yes          yes      yes

resolver.choose                 yes     yes        yes     yes       yes   yes          yes      yes
resolver.ask                    yes     yes        yes     yes       yes   yes          yes      yes
resolver.card_svg               yes     yes        yes     yes       yes   yes          yes      yes
resolver.card_png               yes     yes        yes     yes       yes   yes          yes      yes
resolver.code                   yes     yes        yes     yes       yes   yes          yes      yes

nights.start                    yes     yes        yes     yes       yes   yes          yes      yes
nights.find                     yes     yes        yes     yes       yes   yes          yes      yes
nights.reopen                   no      no         no      no        no    no           no       no
nights.invitation               yes     back       back    back      back  back         yes      yes
nights.join                     yes     back       back    back      back  back         yes      yes
nights.take_seat                yes     yes        yes     yes       yes   yes          yes      yes
nights.return_with_code         yes     yes        yes     yes       yes   yes          yes      yes
nights.ask_for_seat             yes     back       back    back      back  back         yes      yes

nights.lobby                    no      yes        yes     yes       yes   yes          no       no
nights.tv                       no      yes        yes     yes       yes   yes          no       no
nights.add                      no      no         yes     yes       yes   yes          no       no
nights.take_over                no      no         yes     yes       idle  yes          no       no
nights.lock                     no      no         no      no        yes   no           no       no
nights.remove                   no      no         no      no        yes   no           no       no
nights.hand_over                no      no         no      no        yes   no           no       no
nights.answer_claim             no      no         no      no        yes   no           no       no
nights.machine                  no      no         no      no        yes   no           no       no

matches.choose                  no      no         yes     yes       yes   yes          no       no
matches.prepare                 no      no         yes     yes       yes   yes          no       no
matches.start                   no      no         yes     yes       yes   yes          no       no
matches.save                    no      no         yes     yes       yes   yes          no       no
matches.table                   no      yes        yes     yes       yes   yes          no       no
matches.question                no      no         yes     no        yes   yes          no       no
matches.act                     no      no         yes     no        yes   yes          no       no
matches.call                    no      no         yes     no        yes   yes          no       no
matches.entry                   no      yes        yes     yes       yes   yes          no       no
matches.seat                    no      yes        yes     yes       yes   yes          no       no
matches.whole_story             no      yes        yes     yes       yes   yes          no       no
matches.verdict                 no      yes        yes     yes       yes   yes          no       no
matches.undo       own          no      no         yes     no        yes   yes          no       no
matches.undo       another's    no      no         no      no        yes   no           no       no
matches.amend      own          no      no         yes     no        yes   yes          no       no
matches.amend      another's    no      no         no      no        yes   no           no       no

house.page                      no      yes        yes     yes       yes   yes          no       no
house.delete                    no      no         no      no        yes   no           no       no
house.who_wins                  no      yes        yes     yes       yes   yes          no       no
house.put                       no      no         yes     no        yes   yes          no       no
house.accept                    no      no         yes     no        yes   yes          no       no
house.answer                    no      no         yes     no        yes   yes          no       no
house.withdraw     own          no      no         yes     no        yes   yes          no       no
house.withdraw     another's    no      no         no      no        yes   no           no       no
results.result                  no      yes        yes     yes       yes   yes          no       no
results.card_svg                no      yes        yes     yes       yes   yes          no       no
results.card_png                no      yes        yes     yes       yes   yes          no       no
results.standings               no      yes        yes     yes       yes   yes          no       no
results.scheme                  no      no         no      no        yes   no           no       no
past.home                       no      yes        yes     yes       yes   yes          no       yes
past.nights                     no      yes        yes     yes       yes   yes          no       yes
past.people                     no      yes        yes     yes       yes   yes          no       yes
past.game                       no      yes        yes     yes       yes   yes          no       yes
past.night                      no      yes        yes     yes       yes   yes          no       no
past.person                     no      yes        yes     yes       yes   yes          no       no
past.against                    no      yes        yes     yes       yes   yes          no       no
past.ask_to_forget own          no      yes        yes     yes       yes   yes          no       yes
past.ask_to_forget another's    no      no         no      no        no    no           no       no
past.forget        another's    no      no         no      no        no    no           no       no
past.correct                    no      no         no      no        no    no           no       no
past.merge                      no      no         no      no        no    no           no       no
past.part                       no      no         no      no        no    no           no       no
past.split                      no      no         no      no        no    no           no       no
past.hand_out                   no      no         no      no        no    no           no       no
past.handed                     yes     yes        yes     yes       yes   yes          yes      yes
past.take                       yes     yes        yes     yes       yes   yes          yes      yes

exports.match                   no      yes        yes     yes       yes   yes          no       no
exports.record                  no      yes        yes     yes       yes   yes          no       no
exports.match_csv               no      yes        yes     yes       yes   yes          no       no
exports.bg_stats                no      yes        yes     yes       yes   yes          no       no
exports.night                   no      yes        yes     yes       yes   yes          no       no
exports.night_csv               no      yes        yes     yes       yes   yes          no       no
exports.bring                   no      no         yes     yes       yes   yes          no       no
exports.bg_stats_short          yes     yes        yes     yes       yes   yes          yes      yes

live.night                      no      yes        yes     yes       yes   yes          no       no
live.tv                         no      yes        yes     yes       yes   yes          no       no
live.match                      no      yes        yes     yes       yes   yes          no       no
live.night_now                  no      yes        yes     yes       yes   yes          no       no
live.tv_now                     no      yes        yes     yes       yes   yes          no       no
live.match_now                  no      yes        yes     yes       yes   yes          no       no
"""


def rows():
    """(endpoint, which of its cases, {role: cell})"""
    for line in TABLE.strip().splitlines()[1:]:
        words = line.split()
        if words:
            endpoint, *case = words[: -len(ROLES)]
            yield endpoint, " ".join(case), dict(zip(ROLES, words[-len(ROLES) :], strict=True))
