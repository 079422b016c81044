// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: see docs/style.md, rule 3.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
]

/// A C library of the system: a module map and a header of inline shims below `Sources/`.
///
/// Without `pkgConfig` its flags are not asked for: it is loaded when it is first needed (`LateLibrary.h`), or linked
/// by its module map.
func system(_ name: String, _ pkgConfig: String?, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "jukeboxd",
    targets: [
        // What every other target may see: system calls, threads, the loop, observed state, audio contracts.
        .target(
            name: "CLinux",
            swiftSettings: [
                .strictMemorySafety()
            ]),
        library("Base", ["CLinux"]),
        // What tests of several modules use.
        .target(name: "Support", path: "Tests/Support", swiftSettings: strict),
        tests("BaseTests", ["Base", "Support"]),
        // From bytes to samples.
        system("CMpg123", "libmpg123", "libmpg123-dev"),
        system("CEBUR128", "libebur128", "libebur128-dev"),
        // What the daemon and its decoder of all other formats say to each other.
        library("DecoderLink", ["Base", "CLinux"]),
        tests("DecoderLinkTests", ["DecoderLink", "Support"]),
        library("Decode", ["Base", "CEBUR128", "CLinux", "CMpg123", "DecoderLink"]),
        tests(
            "DecodeTests", ["Base", "Decode", "DecoderLink", "Support", "decoder-probe", "jukebox-decoder"]),
        // URL to bytes: files, http(s), ICY.
        system("CCurl", nil, "libcurl4-openssl-dev"),
        system("CXXHash", "libxxhash", "libxxhash-dev"),
        system("CCrypto", nil, "libssl-dev"),
        library("Loader", ["Base", "CCrypto", "CCurl", "CLinux", "CXXHash"]),
        tests("LoaderTests", ["Loader", "Support"]),
        // What names other URLs: playlists and publications, mostly in XML that comes over the network.
        system("CExpat", "expat", "libexpat1-dev"),
        library("Markup", ["Base", "CExpat"]),
        tests("MarkupTests", ["Base", "Markup"]),
        library("Playlist", ["Base", "Markup"]),
        tests("PlaylistTests", ["Base", "Playlist"]),
        library("Feed", ["Base", "Markup"]),
        tests("FeedTests", ["Base", "Feed", "Support"]),
        // The state machine, the queue and the observed model; no C, no input or output.
        library("Player", ["Base"]),
        tests("PlayerTests", ["Player", "Base", "Support"]),
        // What must survive a restart, and the catalogue: SQLite.
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        // Its pkg-config file has a flag that Swift's package manager refuses; the module map links it.
        system("CUTF8Proc", nil, "libutf8proc-dev"),
        library("Store", ["Base", "CSQLite", "CUTF8Proc"]),
        tests("StoreTests", ["Base", "Store", "Support"]),
        // What reads bytes of others in a process of its own, and can do nothing else.
        system("CSeccomp", "libseccomp", "libseccomp-dev"),
        library("Sandbox", ["Base", "CLinux", "CSeccomp"]),
        system("CGD", nil, "libgd-dev"),
        program("jukebox-picture", ["Base", "CGD", "Sandbox"]),
        system("CFFmpeg", "libavformat libavcodec libavutil", "libavformat-dev"),
        program("jukebox-decoder", ["Base", "CFFmpeg", "CLinux", "DecoderLink", "Sandbox"]),
        .executableTarget(
            name: "decoder-probe", dependencies: ["Base", "DecoderLink", "Sandbox"],
            path: "Tests/DecoderProbe",
            swiftSettings: strict),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["Base", "Sandbox"], path: "Tests/SandboxProbe",
            swiftSettings: strict),
        tests("SandboxTests", ["jukebox-picture", "sandbox-probe"]),
        // The sound leaves: ALSA, null, wav.
        system("CSoxr", "soxr", "libsoxr-dev"),
        system("CALSA", "alsa", "libasound2-dev"),
        library("Output", ["Base", "CALSA", "CLinux", "CSoxr"]),
        tests("OutputTests", ["Base", "Output", "Support"]),
        // The protocol's messages: JSON, lines, JSON-RPC; what the daemon and its clients share.
        system("CJansson", "jansson", "libjansson-dev"),
        library("Wire", ["Base", "CJansson", "CLinux"]),
        tests("WireTests", ["Wire", "Base", "Support"]),
        // What people see on a terminal: widths of text, items in words.
        library("Terminal", ["Base", "CLinux"]),
        tests("TerminalTests", ["Base", "Terminal"]),
        // The client for people and scripts.
        program("jukectl", ["Base", "CLinux", "Terminal", "Wire"]),
        tests("JukectlTests", ["Base", "Terminal", "jukectl"]),
        // The store in a terminal; apart from the client, which is linked statically and starts in no time.
        // What its pkg-config asks for beside the library is no business of SwiftPM: the module map names the library.
        system("CNCurses", nil, "libncurses-dev"),
        program("jukebox-browse", ["Base", "CLinux", "CNCurses", "Terminal", "Wire"]),
        tests("BrowseTests", ["Base", "Terminal", "jukebox-browse"]),
        // The socket, its clients, the commands and the subscriptions; the contract as bytes of the program.
        .target(name: "CContract", swiftSettings: [.strictMemorySafety()]),
        library("Control", ["Base", "CContract", "CLinux", "Player", "Wire"]),
        tests("ControlTests", ["Base", "CLinux", "Control", "Player", "Support", "Wire"]),
        // The programs: composition.
        system("CInih", "inih", "libinih-dev"),
        program(
            "jukeboxd",
            [
                "Base", "CInih", "CLinux", "Control", "Decode", "Feed", "Loader", "Output", "Player",
                "Playlist",
                "Store", "Wire",
            ]),
        tests("jukeboxdTests", ["Base", "Loader", "Output", "Player", "jukeboxd"]),
    ],
    swiftLanguageModes: [.v6]
)
