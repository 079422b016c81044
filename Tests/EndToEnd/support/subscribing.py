"""Sources of a daemon's store, from the side of a client that waits for them."""


def settled(values, source):
    """True once a refresh of the source is over."""
    return values.get(f"sources.{source}.status") in ("ready", "failed")


def add(client, url, **more):
    """Adds a source, waits until it was read, well or not, and returns its ID; what happens to downloads is told too."""
    client.observe("store", "sources", "downloads")
    source = client.call("store.addSource", url=str(url), **more)["id"]
    client.wait(lambda v: settled(v, source))
    return source


def refresh(client, source):
    """Reads a source anew; returns what it is then."""
    client.call("store.refresh", source=source)
    client.wait(lambda v: settled(v, source))
    return client.values[f"sources.{source}.status"]
