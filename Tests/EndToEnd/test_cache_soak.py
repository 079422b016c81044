"""A server that drops, stalls, resets and swaps its file, with a cache in between: what is heard is always right."""
import random
import shutil

from support.faulty import FaultyServer
from support.sounds import decoded, largest_difference, mp3, samples


# What is replaced more often while it is heard is given up.
MOST_REPLACEMENTS = 5


def heard(start, url, out, name, *arguments):
    """What a daemon plays of a URL, as samples, how that ended, and whether it was played without the server's word."""
    daemon = start("--output", f"wav-untimed:{out}", *arguments, name=name)
    client = daemon.client()
    client.observe("*")
    unasked = daemon.log().count("played unasked")
    client.call("open", url=str(url))
    client.wait(lambda v: v["player.state"] == "stopped" and (v["item.duration"] or v["player.error"]), timeout=120)
    error = client.get("player.error")
    daemon.stop()
    is_unasked = daemon.log().count("played unasked") > unasked
    return samples(out), error and error["code"], is_unasked


def agreement(a, b, start):
    """How many samples from a place on are the same in both."""
    low, high = start, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return max(0, low - start)


def versions_heard(got, originals):
    """Which versions were heard, one after the other, each at its own place; None where a sample is of none."""
    place, heard = 0, []
    while place < len(got):
        lengths = [agreement(got, original, place) for original in originals]
        if max(lengths) == 0:
            return None
        heard.append(lengths.index(max(lengths)))
        place += max(lengths)
    return heard


def is_to_an_end(got, last, originals):
    """True for what ends where a version does: the last one, or one that is no longer than what was heard by then."""
    return len(got) == len(originals[last]) or any(len(original) <= len(got) for original in originals)


def test_every_sample_is_right_whatever_the_server_does(start, soak, tmp_path):
    seed = random.SystemRandom().randrange(1 << 30) if soak else 4
    print(f"seed {seed}")
    choose = random.Random(seed)
    files = [mp3(seconds=12 + 2 * n, frequency=330 + 110 * n) for n in range(4)]
    out = tmp_path / "heard.wav"
    originals = [heard(start, file, out, "original")[0] for file in files]
    for file, original in zip(files, originals):
        expected = decoded(file)
        assert len(original) == len(expected) and largest_difference(original, expected) <= 1
    settings = tmp_path / "jukeboxd.conf"
    settings.write_text("[loader]\nstall_timeout = 1\n")
    server = FaultyServer([file.read_bytes() for file in files], choose)
    whole = replaced = 0
    while server.count < (500 if soak else 10) or whole < 2:
        before, version = server.faults["swap"], server.current
        got, error, is_unasked = heard(start, server.url, out, "soaked", "--config", settings)
        swaps = server.faults["swap"] - before
        told = f"seed {seed}, fault {server.count}, version {version}, error {error}, {len(got)} samples"
        is_whole = not swaps and not is_unasked
        if is_whole:
            assert error is None and got == originals[version], told
        else:
            # It was replaced while it was heard, or before, and the server was too busy to say so: the new version goes
            # on where the old one ended, to its end.
            heard_of = versions_heard(got, originals)
            told = f"{told}, {swaps} swaps, unasked {is_unasked}, heard {heard_of}"
            assert heard_of and len(heard_of) <= swaps + is_unasked + 1, told
            if error is None:
                assert is_to_an_end(got, heard_of[-1], originals), told
            else:
                assert error == "incomplete" and swaps + is_unasked >= MOST_REPLACEMENTS, told
        whole, replaced = whole + is_whole, replaced + (not is_whole)
        if choose.random() < 0.6:
            server.swap()
        if choose.random() < 0.2:
            shutil.rmtree(tmp_path / "soaked" / "cache")
    server.close()
    print(f"{server.faults}, {whole} heard from one version, {replaced} replaced meanwhile")
