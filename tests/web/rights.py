"""Who may do what, as a table for people. The test tries every cell; a route without a row fails.

yes   it is done (or shown)
no    refused with a page in words, and nothing is changed
back  whoever has a seat at this night is led back to it, and nothing is changed
idle  it is so already: said in words (409), and nothing is changed

spectator   joined only to watch                       host         has no seat in the match
player      sits in the match                          former host  handed over, sits in the match
unseated    plays tonight, but not in this match       removed      sat in the match until the host removed them
elsewhere   the host of another night
"""

ROLES = ("nobody", "spectator", "player", "unseated", "host", "former host", "removed", "elsewhere")

TABLE = """
                                nobody  spectator  player  unseated  host  former-host  removed  elsewhere
static                          yes     yes        yes     yes       yes   yes          yes      yes
pages.home                      yes     yes        yes     yes       yes   yes          yes      yes
pages.htmx                      yes     yes        yes     yes       yes   yes          yes      yes
pages.health                    yes     yes        yes     yes       yes   yes          yes      yes
pages.ready                     yes     yes        yes     yes       yes   yes          yes      yes
pages.tv                        yes     yes        yes     yes       yes   yes          yes      yes

nights.start                    yes     yes        yes     yes       yes   yes          yes      yes
nights.find                     yes     yes        yes     yes       yes   yes          yes      yes
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
