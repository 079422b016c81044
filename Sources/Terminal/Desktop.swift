import Base
import CLinux
import Glibc

/// The desktop around the terminal, where there is one.
package enum Desktop {
    private static let passedOn = [
        "PATH", "HOME", "USER", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
        "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS", "BROWSER",
    ]

    /// True where a window could open.
    package static var isThere: Bool {
        System.environment("DISPLAY") != nil || System.environment("WAYLAND_DISPLAY") != nil
    }

    /// Opens a URI or a file with the program for it (xdg-open), which goes on by itself; false without a desktop or
    /// that program.
    package static func open(_ target: String) -> Bool {
        guard isThere, let program = find("xdg-open") else { return false }
        return start([program, target])
    }

    /// The path of a program on PATH.
    package static func find(_ name: String) -> String? {
        let folders = (System.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    private static func start(_ words: [String]) -> Bool {
        let environment = passedOn.compactMap { name in System.environment(name).map { "\(name)=\($0)" } }
        // Safe because the copies live until the program is started.
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        return unsafe jb_start_apart(&arguments, &variables) == 0
    }
}
