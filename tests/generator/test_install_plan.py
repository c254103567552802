"""The planner: every state of a file, with and without --replace. Nothing here touches a disk."""

from knowzcode_relay.install.plan import (
    Act,
    Action,
    Kind,
    Options,
    Print,
    Recorded,
    Save,
    State,
    plan,
    recorded_after,
)

OLD = Print.of(b"old", 0o644)
NEW = Print.of(b"new", 0o644)
MINE = Print.of(b"mine", 0o644)
LINK = Print.of(b"elsewhere", 0)
KEEP, REPLACE = Options(), Options(replace=True)


def decide(
    want: Print | None, known: Recorded | None, disk: Print | None, options: Options = KEEP
) -> tuple[State, Act, Save]:
    action = _action(want, known, disk, options)
    return action.state, action.act, action.save


def _action(want: Print | None, known: Recorded | None, disk: Print | None, options: Options) -> Action:
    (action,) = plan(
        {"f": want} if want else {}, {"f": known} if known else {}, {"f": disk} if disk else {}, options
    )
    return action


def test_a_new_file_is_created() -> None:
    assert decide(NEW, None, None) == (State.NEW, Act.CREATE, Save.NOTHING)


def test_a_current_file_changes_nothing() -> None:
    for options in (KEEP, REPLACE):
        assert not _action(NEW, Recorded(NEW), NEW, options).changes
    assert decide(NEW, Recorded(NEW), NEW)[0] is State.CURRENT


def test_a_current_file_with_another_mode_gets_its_mode_back() -> None:
    executable = Print(NEW.sha256, 0o755)
    action = _action(executable, Recorded(executable), NEW, KEEP)
    assert (action.state, action.changes, action.after) == (State.CURRENT, True, executable)


def test_a_stale_file_is_updated() -> None:
    for options in (KEEP, REPLACE):
        assert decide(NEW, Recorded(OLD), OLD, options) == (State.STALE, Act.UPDATE, Save.NOTHING)


def test_the_new_bytes_being_there_already_are_adopted() -> None:
    assert decide(NEW, Recorded(OLD), NEW) == (State.STALE, Act.ADOPT, Save.NOTHING)


def test_an_edited_file_is_kept_and_with_replace_its_edit_is_saved() -> None:
    """Field report 83."""
    assert decide(OLD, Recorded(OLD), MINE) == (State.EDITED, Act.KEEP, Save.NOTHING)
    assert decide(OLD, Recorded(OLD), MINE, REPLACE) == (State.EDITED, Act.UPDATE, Save.EDIT)


def test_a_file_edited_while_upstream_changed_too_is_a_conflict_and_is_kept() -> None:
    assert decide(NEW, Recorded(OLD), MINE) == (State.CONFLICT, Act.KEEP, Save.NOTHING)
    assert decide(NEW, Recorded(OLD), MINE, REPLACE) == (State.CONFLICT, Act.UPDATE, Save.EDIT)


def test_a_deleted_file_stays_deleted_without_replace() -> None:
    assert decide(NEW, Recorded(OLD), None) == (State.USER_DELETED, Act.KEEP, Save.NOTHING)
    assert decide(NEW, Recorded(OLD), None, REPLACE) == (State.USER_DELETED, Act.CREATE, Save.NOTHING)


def test_a_foreign_file_is_refused_even_when_it_holds_our_bytes() -> None:
    assert decide(NEW, None, MINE) == (State.FOREIGN, Act.REFUSE, Save.NOTHING)
    assert decide(NEW, None, NEW) == (State.FOREIGN, Act.REFUSE, Save.NOTHING)
    assert decide(NEW, None, MINE, REPLACE) == (State.FOREIGN, Act.UPDATE, Save.ORIGINAL)


def test_a_folder_or_a_link_on_the_way_is_refused_even_with_replace() -> None:
    for kind in (Kind.OTHER, Kind.BLOCKED):
        for known in (None, Recorded(OLD)):
            assert decide(NEW, known, Print("", 0, kind), REPLACE)[1] is Act.REFUSE


def test_what_is_no_longer_wanted_goes_if_it_is_still_ours() -> None:
    state = State.REMOVED_UPSTREAM
    assert decide(None, Recorded(OLD), OLD) == (state, Act.REMOVE, Save.NOTHING)
    assert decide(None, Recorded(OLD), None) == (state, Act.FORGET, Save.NOTHING)
    assert decide(None, Recorded(OLD), MINE) == (state, Act.KEEP, Save.NOTHING)
    assert decide(None, Recorded(OLD), MINE, REPLACE) == (state, Act.REMOVE, Save.EDIT)


def test_what_was_there_before_us_comes_back_and_an_edit_made_since_is_saved() -> None:
    known = Recorded(OLD, original=MINE)
    assert _action(None, known, OLD, KEEP).after == MINE
    assert _action(None, known, None, KEEP).after == MINE
    assert decide(None, known, NEW) == (State.REMOVED_UPSTREAM, Act.RESTORE, Save.EDIT)
    assert decide(None, known, MINE) == (State.REMOVED_UPSTREAM, Act.FORGET, Save.NOTHING)


def test_the_record_holds_what_we_wrote_and_never_what_we_found() -> None:
    wanted = {"new": NEW, "edited": NEW, "gone": NEW, "foreign": NEW}
    recorded = {"edited": Recorded(OLD), "gone": Recorded(OLD), "dropped": Recorded(OLD)}
    disk = {"edited": MINE, "foreign": MINE, "dropped": OLD}

    kept = recorded_after(plan(wanted, recorded, disk, KEEP), wanted, recorded)
    assert kept == {"new": Recorded(NEW), "edited": Recorded(OLD), "gone": Recorded(OLD)}

    replaced = recorded_after(plan(wanted, recorded, disk, REPLACE), wanted, recorded)
    assert replaced == {
        "new": Recorded(NEW),
        "edited": Recorded(NEW),
        "gone": Recorded(NEW),
        "foreign": Recorded(NEW, original=MINE),
    }


def test_what_an_install_took_the_place_of_is_remembered_through_upgrades() -> None:
    wanted, recorded = {"f": NEW}, {"f": Recorded(OLD, original=MINE)}
    after = recorded_after(plan(wanted, recorded, {"f": OLD}, KEEP), wanted, recorded)
    assert after == {"f": Recorded(NEW, original=MINE)}
