"""The command line in three languages: which one a terminal gets, and every command in each of them."""

import json
import re
import socket
from contextlib import closing
from importlib.resources import files

import pytest
from test_archive import Place
from test_cli import GOOD, QUESTION, in_file
from test_server import MODULE, Process, arguments, running

from companion import doctor, i18n
from companion.addresses import Address
from companion.cli import main
from companion.games import replay

LANGUAGES = ("en", "de", "is")
every_language = pytest.mark.parametrize("language", LANGUAGES)


def speak(monkeypatch, language):
    """A terminal in this language; the system's own locales need not be installed."""
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    monkeypatch.setenv("LANGUAGE", "")  # the command line sets it; this takes it back afterwards


def companion(capsys, *given):
    """(exit status, what was said)"""
    try:
        status = main([str(each) for each in given])
    except SystemExit as stopped:
        status = stopped.code
    out, err = capsys.readouterr()
    return status, out + err


# ---- which language --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "is"}, "is"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "is_IS"}, "is"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "is_IS", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:is:de"}, "is"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "../de"}, "en"),
    ],
)
def test_the_environment_says_which_language(monkeypatch, environment, language):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, environment.get(name, ""))
    assert i18n.wanted() == language


# ---- every command ---------------------------------------------------------------------------------------------------

HELP = {"en": ("usage: companion", "options:"), "de": ("Aufruf: companion", "Optionen:"), "is": ("notkun: companion", "valkostir:")}
ENGLISH = re.compile(r"\b(the|and|with|is|are|this|that|show|argument|usage|options|folder|where)\b(?!-)")


@every_language
@pytest.mark.parametrize("command", ["", "serve", "replay", "resolve", "export", "backup", "restore", "doctor"])
def test_the_help_is_in_the_language_of_the_terminal(monkeypatch, capsys, language, command):
    speak(monkeypatch, language)
    status, said = companion(capsys, *filter(None, [command]), "--help")
    assert status == 0
    assert all(words in said for words in HELP[language])
    assert bool(ENGLISH.search(said)) is (language == "en"), said


WRONG = {
    (): {"en": "one of the arguments FILE --example is required", "de": "eine der Angaben DATEI --example", "is": "eitt af SKRÁ --example"},
    ("x", "--example", "crazy-lab"): {"en": "not allowed with argument", "de": "geht nicht zusammen mit", "is": "gengur ekki með"},
    ("--example", "poker"): {"en": "invalid choice: 'poker'", "de": "'poker' gibt es hier nicht", "is": "'poker' er ekki í boði"},
    ("--example",): {"en": "expected one argument", "de": "erwartet eine Angabe", "is": "hér þarf eitt gildi"},
    ("x", "y"): {"en": "unrecognized arguments: y", "de": "unbekannt: y", "is": "óþekkt: y"},
}


@every_language
@pytest.mark.parametrize("given", WRONG, ids=" ".join)
def test_a_wrong_call_is_told_in_the_language_of_the_terminal(monkeypatch, capsys, language, given):
    speak(monkeypatch, language)
    status, said = companion(capsys, "replay", *given)
    assert (status, WRONG[given][language] in said) == (2, True), said


@pytest.mark.parametrize(("language", "said"), [("en", "a port is a number"), ("de", "ein Port ist eine Zahl"), ("is", "gátt er tala")])
def test_a_port_that_is_none_is_told_so(monkeypatch, capsys, language, said):
    speak(monkeypatch, language)
    assert said in companion(capsys, "--port", "99999")[1]


ILLEGAL = {**GOOD, "actions": [{"do": "round", "scored": [99, 0], "left": [0, 0]}]}


@pytest.mark.parametrize(
    ("language", "message"),
    [("en", "Somebody counted 27 too many"), ("de", "Jemand hat 27 zu viel gezählt"), ("is", "Einhver taldi 27 of mikið")],
)
def test_a_refused_record_says_why_in_the_language_of_the_terminal(monkeypatch, capsys, tmp_path, language, message):
    speak(monkeypatch, language)
    status, said = companion(capsys, "replay", in_file(tmp_path, json.dumps(ILLEGAL)))
    found = json.loads(said)["error"]
    assert (status, found["action"], found["rule"]) == (1, 0, "LIG-18")
    assert message in found["message"]


@every_language
def test_everything_but_the_sentences_of_an_answer_is_the_same_in_every_language(monkeypatch, capsys, language):
    speak(monkeypatch, language)
    record = json.loads((files("companion.games") / "examples" / "crazy-race.json").read_text(encoding="utf-8"))
    found = json.loads(companion(capsys, "replay", "--example", "crazy-race")[1])
    assert {**found, "warnings": []} == {**replay(record), "warnings": []}


@pytest.mark.parametrize(
    ("language", "reason"), [("en", "Ben wins: blue 2"), ("de", "Ben gewinnt: Blau 2"), ("is", "Ben á slaginn: blátt 2")]
)
def test_a_dispute_is_argued_in_the_language_of_the_terminal(monkeypatch, capsys, tmp_path, language, reason):
    speak(monkeypatch, language)
    status, said = companion(capsys, "resolve", in_file(tmp_path, json.dumps(QUESTION)))
    found = json.loads(said)
    assert (status, found["winner"]) == (0, 1)
    assert any(reason in step["text"] for step in found["why"]), found["why"]


NO_RECORD = {
    "": {"en": "line 1, column 1", "de": "Zeile 1, Spalte 1", "is": "lína 1, dálkur 1"},
    "[]": {"en": "there is no object", "de": "kein Objekt", "is": "ekki hlutur"},
    "NaN": {"en": "it is no JSON", "de": "kein JSON", "is": "ekki JSON"},
    '{"game": "poker"}': {"en": "the game is none of crazy-lab", "de": "gibt es hier crazy-lab", "is": "leikirnir hér eru crazy-lab"},
    '{"game": "crazy-lab"}': {"en": "the format is not", "de": "Das Format ist nicht", "is": "sniðið er ekki"},
    "[" * 100_000: {"en": "nested too deeply", "de": "zu tief verschachtelt", "is": "hreiðruð of djúpt"},
}


@every_language
@pytest.mark.parametrize("text", NO_RECORD, ids=["empty", "list", "nan", "game", "format", "deep"])
def test_what_is_no_record_is_told_so_in_one_line(monkeypatch, capsys, tmp_path, language, text):
    speak(monkeypatch, language)
    status, said = companion(capsys, "replay", in_file(tmp_path, text))
    assert (status, said.count("\n")) == (2, 1)
    assert NO_RECORD[text][language] in said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "companion: cannot read the file: No such file or directory\n"),
        ("de", "companion: die Datei lässt sich nicht lesen: Diese Datei oder diesen Ordner gibt es nicht\n"),
        ("is", "companion: ekki er hægt að lesa skrána: Skráin eða mappan er ekki til\n"),
    ],
)
def test_also_what_the_system_says_is_translated(monkeypatch, capsys, tmp_path, language, said):
    speak(monkeypatch, language)
    assert companion(capsys, "replay", tmp_path / "nothing.json") == (2, said)


# ---- data ------------------------------------------------------------------------------------------------------------

KEPT = {
    "export": {"en": "1 match is in ", "de": "1 Partie ist in ", "is": "1 leikur er í "},
    "backup": {"en": "Everything is in ", "de": "Alles ist in ", "is": "Allt er í "},
    "restore": {
        "en": "The backup is restored. What",
        "de": "Die Sicherung ist zurückgespielt. Was",
        "is": "Afritið er komið á sinn stað. Það",
    },
}
REFUSED = {
    "export": {"en": "There is no data in", "de": "noch keine Daten", "is": "Engin gögn eru í"},
    "backup": {"en": "is there already", "de": "gibt es schon", "is": "er þegar til"},
    "restore": {"en": "is no backup of the Companion", "de": "ist keine Sicherung des Companion", "is": "er ekki afrit úr Companion"},
}


@every_language
def test_keeping_and_bringing_back_is_told_in_the_language_of_the_terminal(monkeypatch, capsys, tmp_path, language):
    speak(monkeypatch, language)
    place = Place(tmp_path / "instance")
    for command, to in (("export", "out"), ("backup", "copy"), ("restore", "copy")):
        status, said = companion(capsys, command, tmp_path / to, "--instance", place.folder)
        assert (status, KEPT[command][language] in said) == (0, True), said


@every_language
def test_why_nothing_was_kept_is_told_in_the_language_of_the_terminal(monkeypatch, capsys, tmp_path, language):
    speak(monkeypatch, language)
    place = Place(tmp_path / "instance")
    (tmp_path / "copy").write_text("no database")
    for command, to, folder in (("export", "out", tmp_path / "empty"), ("backup", "copy", place.folder), ("restore", "copy", place.folder)):
        status, said = companion(capsys, command, tmp_path / to, "--instance", folder)
        assert (status, REFUSED[command][language] in said) == (1, True), said


@pytest.mark.parametrize(("language", "header"), [("en", "round,Ana,Ben"), ("de", "Runde,Ana,Ben"), ("is", "umferð,Ana,Ben")])
def test_exported_tables_speak_the_language_and_records_do_not(monkeypatch, capsys, tmp_path, language, header):
    speak(monkeypatch, language)
    place = Place(tmp_path / "instance")
    with place.opened() as (_, store):
        place.play(2, store)
    companion(capsys, "export", tmp_path / "out", "--instance", place.folder)
    table, record = (next((tmp_path / "out").rglob(f"01 *.{ending}")).read_text(encoding="utf-8-sig") for ending in ("csv", "json"))
    assert table.splitlines()[:2] == [header, "1,-2,2"]
    assert set(json.loads(record)) == {"format", "game", "players", "options", "actions"}


@pytest.mark.parametrize(
    ("language", "fine", "wrong"),
    [
        ("en", "ok    Database: Nothing is stored yet", "WRONG Key: It is damaged"),
        ("de", "ok     Datenbank: Noch ist nichts", "FEHLER Schlüssel: Er ist"),
        ("is", "í lagi Gagnagrunnur: Ekkert er vistað", "VILLA  Lykill: Hann er"),
    ],
)
def test_the_doctor_speaks_the_language_of_the_terminal(monkeypatch, capsys, tmp_path, language, fine, wrong):
    speak(monkeypatch, language)
    monkeypatch.setattr(doctor, "machine_addresses", lambda: [Address("192.0.2.7", "wlan0", False)])
    (tmp_path / "secret.key").write_bytes(b"short")
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    status, said = companion(capsys, "doctor", "--instance", tmp_path, "--port", port)
    assert (status, fine in said, wrong in said) == (1, True, True), said
    assert len(said.splitlines()) == 7


# ---- serving, as people start it -------------------------------------------------------------------------------------

SERVED = {
    "de": ("Der Companion läuft.", "Auf diesem Rechner   http://127.0.0.1:", "Beenden mit Strg-C.", "Gute Nacht. Alles ist gespeichert.\n"),
    "is": ("Companion er í gangi.", "Á þessari tölvu   http://127.0.0.1:", "Hættið með Ctrl-C.", "Góða nótt. Allt er vistað.\n"),
}


@pytest.mark.parametrize("language", SERVED)
def test_a_start_and_a_stop_are_told_in_the_language_of_the_terminal(tmp_path, language):
    hello, where, last, goodbye = SERVED[language]
    with running(tmp_path, "--port", "0", last=last, LC_ALL=f"{language}.UTF-8") as server:
        said = server.said()
        assert server.end() == 0
    assert (hello in said, where in said) == (True, True), said
    assert server.said().endswith(goodbye)


def test_a_terminal_without_the_letters_gets_question_marks_and_no_traceback(tmp_path):
    with running(tmp_path, "--port", "0", last="Ctrl-C.", encoding="ascii", LC_ALL="is_IS") as server:
        assert "? ?essari t?lvu" in server.said("ascii")
        assert server.end() == 0


@pytest.mark.parametrize(
    ("language", "port", "url"),
    [
        ("de", "ist auf 127.0.0.1 belegt oder nicht erlaubt", "--url braucht eine Adresse wie"),
        ("is", "er upptekin eða ekki leyfð á 127.0.0.1", "--url þarf slóð á borð við"),
    ],
)
def test_why_there_is_no_start_is_told_in_the_language_of_the_terminal(tmp_path, language, port, url):
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        assert port in start_refused(tmp_path, language, "--port", str(other.getsockname()[1]))
    assert url in start_refused(tmp_path, language, "--port", "0", "--url", "nowhere")


def start_refused(tmp_path, language, *more):
    server = Process(tmp_path / "said", [*MODULE, *arguments(tmp_path / "instance", *more)], LC_ALL=language)
    assert server.process.wait(60) == 1
    return server.said()
