import NovaCore
import NovaLibc

/// Another program that runs beside this one, with pipes for its input, output and errors.
final class ChildProcess {
  private let identifier: pid_t
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  /// The program's standard error so far, up to 64 KiB.
  private(set) var errorText: [UInt8] = []
  private static let errorLimit = 65_536
  /// Whether the system has forgotten it.
  private var isReaped = false

  /// Starts a program without the `NOVA_` variables of the environment, which can contain secrets.
  ///
  /// - Throws: SystemError.
  init(_ path: String, _ arguments: [String]) throws(SystemError) {
    let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
    identifier = try Self.spawn(path, arguments, descriptors: [input.reading, output.writing, errors.writing])
    [input.reading, output.writing, errors.writing].forEach { close($0) }
    (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
    _ = fcntl(self.input, F_SETFL, O_NONBLOCK)
  }

  deinit {
    closeInput()
    Self.closeOnce(&output)
    Self.closeOnce(&errors)
    if isReaped { return }
    // Its result is not needed, and it must not stay as a zombie.
    kill(identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
  }

  /// Starts a program that outlives this one, without input and output.
  ///
  /// - Throws: SystemError.
  static func launch(_ path: String, _ arguments: [String]) throws(SystemError) {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { throw .last }
    defer { close(null) }
    _ = try spawn(path, arguments, descriptors: [null, null, null])
  }

  /// Runs a program on this program's terminal, and waits for its end.
  ///
  /// - Returns: the exit code, or 128 and the signal that ended the program.
  /// - Throws: SystemError.
  static func runOnTerminal(_ path: String, _ arguments: [String]) throws(SystemError) -> Int32 {
    let identifier = try spawn(path, arguments, descriptors: [0, 1, 2])
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 { if errno != EINTR { throw .last } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Writes to the program's input, and returns the output that has arrived by then. Input that the program does not
  /// read because it has ended is dropped.
  ///
  /// - Parameter patience: how many milliseconds to wait for output after everything was written.
  func exchange(_ bytes: [UInt8], patience: Int32 = 0) throws(SystemError) -> [UInt8] {
    var (received, start) = ([UInt8](), 0)
    while start < bytes.count, input >= 0 {
      let ready = try wait(forInput: true, -1)
      if ready.canWrite { start += try send(bytes[start...]) }
      received += try receive(ready)
    }
    received += try receive(try wait(forInput: false, patience))
    return received
  }

  /// Ends the input, and returns the rest of the output and the exit code, or 128 and the signal that ended the program.
  func finish() throws(SystemError) -> (output: [UInt8], status: Int32) {
    closeInput()
    var received: [UInt8] = []
    while output >= 0 || errors >= 0 { received += try receive(try wait(forInput: false, -1)) }
    var status: Int32 = 0
    defer { isReaped = true }
    while waitpid(identifier, &status, 0) < 0 { if errno != EINTR { throw .last } }
    return (received, status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
  }

  private func closeInput() { Self.closeOnce(&input) }

  private static func closeOnce(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private typealias Ready = (canWrite: Bool, hasOutput: Bool, hasErrors: Bool)

  private func wait(forInput: Bool, _ milliseconds: Int32) throws(SystemError) -> Ready {
    // Negative descriptors are ignored.
    var entries = [
      pollfd(fd: forInput ? input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&entries, nfds_t(entries.count), milliseconds) < 0 { if errno != EINTR { throw .last } }
    return (entries[0].revents != 0, entries[1].revents != 0, entries[2].revents != 0)
  }

  private func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    switch errno {
    case EAGAIN, EINTR: return 0
    case EPIPE:
      closeInput()
      return 0
    default: throw .last
    }
  }

  private func receive(_ ready: Ready) throws(SystemError) -> [UInt8] {
    if ready.hasErrors {
      let bytes = try Self.read(&errors)
      errorText += bytes.prefix(Self.errorLimit - errorText.count)
    }
    return ready.hasOutput ? try Self.read(&output) : []
  }

  private static func read(_ descriptor: inout Int32) throws(SystemError) -> [UInt8] {
    let bytes = try SystemIO.read(descriptor, atMost: 65_536)
    if bytes.isEmpty { closeOnce(&descriptor) }
    return bytes
  }

  // MARK: Starting

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw .last }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// - Parameter descriptors: the program's standard input, output and error.
  private static func spawn(
    _ path: String, _ arguments: [String], descriptors: [Int32]
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    // This program ignores them, and programs inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let environment = APIConfiguration.processVariables().filter { !$0.key.hasPrefix("NOVA_") }
    var argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argumentPointers + environmentPointers).forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, path, &actions, &attributes, &argumentPointers, &environmentPointers)
    guard code == 0 else { throw SystemError(code: code) }
    return identifier
  }
}
