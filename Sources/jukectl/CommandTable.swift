/// All commands, in the order of the help.
enum CommandTable {
    static let all: [Command] = [
        .open, .add, .queue, .play, .pause, .stop, .toggle, .next, .previous, .seek, .volume, .mute, .status,
        .why, .probe,
        .remove, .move, .clear, .repeats, .shuffle, .consume, .replayGain, .crossfade, .save, .load, .history,
        .mark, .sleep, .alarm,
        .announce,
        .browse, .search, .episodes, .stations, .show, .sources, .download, .downloads,
        .get, .set,
        .watch, .wait, .call, .remote,
        .outputs, .cache, .ping, .version, .reload,
        .shutdown,
        .help,
    ]
}
