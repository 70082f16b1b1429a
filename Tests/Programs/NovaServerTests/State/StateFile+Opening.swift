import NovaLibc
import NovaCore
import NovaMock

@testable import NovaServer

extension StateFile {
  /// Opens a state file that another value in this test may just have released, and returns the warnings, to which
  /// later ones are added.
  ///
  /// The lock can outlive that value for a moment: a task that has used it lets go of it later, and a process that another
  /// test is starting shares the lock until it runs its program.
  static func opening(_ path: String, of backend: MockBackend) throws -> (state: StateFile, warnings: Locked<[String]>)
  {
    var tries = 0
    while true {
      let warnings = Locked<[String]>([])
      do {
        return (try StateFile(path, of: backend) { line in warnings.withLock { $0.append(line) } }, warnings)
      } catch  where tries < 400 && "\(error)".contains("is in use") {
        tries += 1
        usleep(5_000)
      }
    }
  }
}
