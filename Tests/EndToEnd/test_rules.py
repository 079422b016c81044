"""Rules: what of a publisher is downloaded by itself, when, and how long it stays; the publisher is a real one."""
import time
from email.utils import formatdate

import pytest
from support.client import RPCError
from support.daemon import jukectl
from support.publisher import feed
from support.sounds import mp3
from support.subscribing import add, refresh

DAY = 86_400


def talk(number, age):
    """An episode of so many days ago."""
    return (f"<item><title>Talk {number}</title><guid>t{number}</guid><pubDate>{formatdate(time.time() - age * DAY)}</pubDate>"
            f"<enclosure url='media/{number}.mp3' length='1000' type='audio/mpeg'/></item>")


@pytest.fixture
def show(publisher):
    """Publishes talks by number and age in days; returns the feed's URL."""
    def publish(ages):
        for number in ages:
            if not (publisher.root / f"media/{number}.mp3").exists():
                publisher.put(f"media/{number}.mp3", mp3(seconds=2, frequency=200 + 10 * number).read_bytes())
        return publisher.put("feed.xml", feed([talk(n, age) for n, age in ages.items()]))

    return publish


def numbers(client):
    """The talks' IDs by their numbers."""
    return {int(i["title"].split()[1]): i["id"] for i in client.call("store.list", limit=1000)["items"]}


def here(values):
    return {int(key.split(".")[1]) for key, value in values.items()
            if key.startswith("downloads.") and key.endswith(".state") and value == "finished"}


def wait_for(client, *expected):
    """Waits until these talks are here, and nothing else of any state."""
    ids = {numbers(client)[n] for n in expected}
    client.wait(lambda v: here(v) == ids == {int(k.split(".")[1]) for k, s in v.items()
                                             if k.startswith("downloads.") and k.endswith(".state") and s is not None},
                what=f"{expected} here")


def set_rules(client, source, **rules):
    return client.call("store.setRules", source=source, rules=rules or None)["rules"]


def test_the_newest_are_fetched_and_older_ones_go(daemon, publisher, show):
    client = daemon.client()
    source = add(client, show({1: 4, 2: 3, 3: 2}))
    assert client.values[f"sources.{source}.rules"] is None
    told = set_rules(client, source, newest=2)
    assert told == {"newest": 2, "days": None, "untilHeard": False, "hours": None, "bytes": None}
    client.wait_for(f"sources.{source}.rules", told)
    wait_for(client, 2, 3)
    client.call("store.download", ids=[numbers(client)[1]])
    wait_for(client, 1, 2, 3)
    assert client.values[f"downloads.{numbers(client)[2]}.byRule"] and not client.values[f"downloads.{numbers(client)[1]}.byRule"]
    show({1: 4, 2: 3, 3: 2, 4: 1, 5: 0})
    refresh(client, source)
    # 1 was asked for by hand: it stays.
    wait_for(client, 1, 4, 5)
    assert len(publisher.statuses("media/3.mp3", 1)) == 1
    daemon.stop()
    daemon.start()
    client = daemon.client()
    client.observe("store", "sources", "downloads")
    client.wait_for(f"sources.{source}.rules", told)
    wait_for(client, 1, 4, 5)
    assert len(publisher.statuses("media/5.mp3", 1)) == 1
    assert set_rules(client, source) is None
    wait_for(client, 1, 4, 5)
    set_rules(client, source, newest=1)
    wait_for(client, 1, 5)


def test_days_hearing_and_a_budget_take_away_again(daemon, show):
    client = daemon.client()
    source = add(client, show({1: 9, 2: 2.5, 3: 1, 4: 0}))
    set_rules(client, source, days=3, untilHeard=True)
    wait_for(client, 2, 3, 4)
    client.call("store.mark", id=numbers(client)[3], heard=True)
    wait_for(client, 2, 4)
    client.call("store.mark", id=numbers(client)[3], heard=False)
    wait_for(client, 2, 3, 4)
    size = mp3(seconds=2, frequency=230).stat().st_size
    # Its publisher says a thousand bytes each; what comes is what counts.
    set_rules(client, source, newest=3, bytes=2 * size + 1000)
    wait_for(client, 3, 4)


def test_what_was_deleted_by_hand_is_not_fetched_again(daemon, show):
    client = daemon.client()
    source = add(client, show({1: 2, 2: 1}))
    set_rules(client, source, newest=5)
    wait_for(client, 1, 2)
    client.call("store.deleteDownload", ids=[numbers(client)[2]])
    wait_for(client, 1)
    show({1: 2, 2: 1, 3: 0})
    refresh(client, source)
    wait_for(client, 1, 3)
    daemon.stop()
    daemon.start()
    client = daemon.client()
    client.observe("store", "sources", "downloads")
    # At once: it is done as soon as it is known what is kept.
    set_rules(client, source, newest=4)
    refresh(client, source)
    wait_for(client, 1, 3)
    # Somebody wants it after all.
    client.call("store.download", ids=[numbers(client)[2]])
    wait_for(client, 1, 2, 3)


def test_at_night_only(daemon, publisher, show):
    def clock(hours):
        return time.strftime("%H:%M", time.localtime(time.time() + hours * 3600))

    client = daemon.client()
    source = add(client, show({1: 1}))
    set_rules(client, source, newest=1, hours={"from": clock(3), "to": clock(6)})
    item = numbers(client)[1]
    client.wait_for(f"downloads.{item}.state", "queued")
    # What is asked for by hand does not wait for the night.
    show({1: 1, 2: 0.5})
    refresh(client, source)
    other = numbers(client)[2]
    client.wait_for(f"downloads.{other}.state", "queued")
    client.call("store.download", ids=[item])
    client.wait_for(f"downloads.{item}.state", "finished")
    assert client.values[f"downloads.{other}.state"] == "queued" and publisher.statuses("media/2.mp3") == []
    set_rules(client, source, newest=1, hours={"from": clock(-3), "to": clock(3)})
    client.wait_for(f"downloads.{other}.state", "finished")


def test_what_is_heard_is_not_taken_away(daemon, publisher, show):
    client = daemon.client()
    url = show({1: 1})
    publisher.put("media/1.mp3", mp3(seconds=60).read_bytes())
    source = add(client, url)
    set_rules(client, source, newest=1, untilHeard=True)
    wait_for(client, 1)
    item = numbers(client)[1]
    client.observe("player")
    client.call("open", url=f"store:{item}")
    client.wait_for("player.state", "playing")
    client.call("store.mark", id=item, heard=True)
    show({1: 1, 2: 0})
    refresh(client, source)
    set_rules(client, source, newest=2, untilHeard=True)
    wait_for(client, 1, 2)
    client.call("queue.clear")
    wait_for(client, 2)


def test_the_feeds_of_a_list_follow_its_rules(daemon, publisher, show):
    show({1: 1, 2: 0})
    client = daemon.client()
    outline = f"<outline type='rss' xmlUrl='{publisher.url('/feed.xml')}'/>"
    source = add(client, publisher.put("list.opml", f"<opml version='2.0'><body>{outline}</body></opml>"))
    client.wait(lambda v: v.get(f"sources.{source + 1}.status") == "ready")
    set_rules(client, source, newest=1)
    wait_for(client, 2)
    set_rules(client, source + 1, newest=2)
    wait_for(client, 1, 2)
    set_rules(client, source)
    set_rules(client, source + 1, newest=1)
    wait_for(client, 2)


@pytest.mark.parametrize("rules", [
    {}, {"newest": 0}, {"newest": 1001}, {"newest": 1.5}, {"days": -1}, {"days": "3"}, {"untilHeard": 1}, {"bytes": 0},
    {"hours": {"from": "01:00", "to": "06:00"}}, {"newest": 1, "hours": {"from": "25:00", "to": "06:00"}},
    {"newest": 1, "hours": {"from": "01:00"}}, {"newest": 1, "hours": {"from": "01:00", "to": "01:00"}}, [], "newest"])
def test_rules_that_say_nothing_are_refused(daemon, publisher, rules):
    client = daemon.client()
    source = add(client, publisher.url("/none.xml"))
    with pytest.raises(RPCError) as refused:
        client.call("store.setRules", source=source, rules=rules)
    assert refused.value.code == -32602 and client.values[f"sources.{source}.rules"] is None


def test_what_lies_here_has_no_rules(daemon, tmp_path):
    client = daemon.client()
    source = add(client, tmp_path)
    with pytest.raises(RPCError) as refused:
        set_rules(client, source, newest=1)
    assert refused.value.name == "unsupported"
    with pytest.raises(RPCError) as refused:
        set_rules(client, 99, newest=1)
    assert refused.value.name == "not_found"


def test_a_person_sets_them_by_options(daemon, show):
    client = daemon.client()
    source = add(client, show({1: 2, 2: 1}))
    assert jukectl(daemon, "sources", "rules", source).stdout == "Nothing is downloaded by itself.\n"
    assert jukectl(daemon, "sources", "rules", source, "--newest", 1, "--until-heard", "--bytes", "2G").returncode == 0
    assert jukectl(daemon, "sources", "rules", source).stdout == "the newest 1, until heard, at most 2.0 GiB\n"
    wait_for(client, 2)
    assert jukectl(daemon, "sources", "rules", source, "--newest=1", "--hours", "23:00-05:00").returncode == 0
    assert jukectl(daemon, "sources", "rules", source).stdout == "the newest 1, fetched from 23:00 to 05:00\n"
    assert jukectl(daemon, "sources", "rules", source, "none").returncode == 0
    assert client.call("store.sources")["sources"][0]["rules"] is None
    for wrong in (["--newest", "few"], ["--hours", "night"], ["none", "--days", "1"], ["all"]):
        assert jukectl(daemon, "sources", "rules", source, *wrong).returncode == 2, wrong
    assert jukectl(daemon, "sources", "rules", 99, "--days", 1).returncode == 1
