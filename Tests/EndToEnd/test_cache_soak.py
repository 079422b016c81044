"""A server that drops, stalls, resets and swaps its file, with a cache in between: what is heard is always right."""
import random
import shutil

from support.faulty import FaultyServer
from support.sounds import decoded, largest_difference, mp3, samples


def heard(start, url, out, name, *arguments):
    """What a daemon plays of a URL, as samples, and how that ended."""
    daemon = start("--output", f"wav-untimed:{out}", *arguments, name=name)
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(url))
    client.wait(lambda v: v["player.state"] == "stopped" and (v["item.duration"] or v["player.error"]), timeout=120)
    error = client.get("player.error")
    daemon.stop()
    return samples(out), error and error["code"]


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
    whole = cut = 0
    while server.count < (500 if soak else 10) or whole < 2:
        swaps = server.faults["swap"]
        version = server.current
        got, error = heard(start, server.url, out, "soaked", "--config", settings)
        told = f"seed {seed}, fault {server.count}, version {version}, error {error}, {len(got)} samples"
        if server.faults["swap"] == swaps:
            assert error is None and got == originals[version], told
        elif error is None:
            assert got in originals, told
        else:
            # It was replaced while it was heard: what is heard of it is of the one version.
            assert error == "incomplete" and any(original[:len(got)] == got for original in originals), told
        whole, cut = whole + (error is None), cut + (error is not None)
        if choose.random() < 0.6:
            server.swap()
        if choose.random() < 0.2:
            shutil.rmtree(tmp_path / "soaked" / "cache")
    server.close()
    print(f"{server.faults}, {whole} heard to the end, {cut} cut by a replaced file")
