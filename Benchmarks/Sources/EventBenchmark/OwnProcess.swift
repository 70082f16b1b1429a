import CEpoll
import Foundation

/// What the system reports about this process.
enum OwnProcess {
  static var residentKilobytes: Int { status("VmRSS") }
  static var threads: Int { status("Threads") }

  /// The memory that the program has allocated and not freed, which leaves out what the allocator keeps for later.
  static var allocatedKilobytes: Int {
    let memory = mallinfo2()
    return (memory.uordblks + memory.hblkhd) / 1024
  }

  static var openFiles: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
  }

  private static func status(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// Raises the limit of open files as far as the system permits.
func allowManyFiles() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
