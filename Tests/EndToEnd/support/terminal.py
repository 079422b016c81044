"""A terminal of a person: tmux, with what its screen shows."""
import os
import subprocess
import time


class Terminal:
    """A tmux server of its own with one window, in which a shell runs."""

    def __init__(self, folder, environment, columns=80, rows=24, term="xterm-256color"):
        self.socket = str(folder / "tmux.sock")
        self.environment = {**environment, "TERM": term, "PS1": "ready> ", "LANG": "C.UTF-8"}
        server = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(folder)}
        words = [f"{name}={value}" for name, value in self.environment.items()]
        self.server = server
        self.tmux("-f", "/dev/null", "new-session", "-d", "-c", str(folder), "-x", str(columns), "-y", str(rows), "env", "-i", *words,
                  "bash", "--norc", "--noprofile", "-i")
        self.wait("ready>")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *words], env=self.server, text=True, check=True,
                              capture_output=True, timeout=30).stdout

    def type(self, *keys):
        """Presses keys by tmux's names, else types the text."""
        for key in keys:
            self.tmux("send-keys", key)

    def enter(self, text):
        """Types a text as it is."""
        self.tmux("send-keys", "-l", text)

    def run(self, command):
        self.enter(command)
        self.type("Enter")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self, escapes=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if escapes else []))

    def wait(self, sight, timeout=30):
        """Waits until the screen shows a text, or fulfils a condition; returns it."""
        end = time.monotonic() + timeout
        while True:
            screen = self.screen()
            if sight(screen) if callable(sight) else sight in screen:
                return screen
            assert time.monotonic() < end, f"did not come: {sight}\n{screen}"
            time.sleep(0.05)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.server, capture_output=True, timeout=30)
