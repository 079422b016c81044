import Base
import Glibc
import Sandbox

/// Goes into the sandbox, tries what is forbidden there, and prints what came of it: a line each, `name errno`.
@main
enum Main {
    static func main() {
        do throws(SystemError) {
            try Sandbox.enter(memoryBytes: 512 << 20)
        } catch {
            print("sandbox \(error)")
            exit(3)
        }
        tell("open", unsafe open("/etc/passwd", O_RDONLY))
        tell("create", unsafe open("/tmp/sandbox-probe", O_WRONLY | O_CREAT, 0o600))
        tell("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        tell("unix", socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        tell("kill", kill(getppid(), 0))
        tell("chdir", unsafe chdir("/"))
        let executable = unsafe mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        tell("execute", unsafe executable == MAP_FAILED ? -1 : 0)
        let large = unsafe mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        tell("memory", unsafe large == MAP_FAILED ? -1 : 0)
        let small = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        tell("little", unsafe small == MAP_FAILED ? -1 : 0)
        fflush(nil)
        exit(0)
    }

    private static func tell(_ name: String, _ result: Int32) { print(name, result == -1 ? errno : 0) }
}
