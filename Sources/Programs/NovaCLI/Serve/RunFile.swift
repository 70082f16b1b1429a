import NovaCore
import NovaLibc
import NovaSDK

/// What a running server publishes for other programs of the same user: where it listens, and what it serves.
struct ServerFacts: Equatable {
  let url: String
  /// Where it takes gRPC; nil for nowhere.
  let grpcURL: String?
  /// The data: `seed 1`.
  let data: String
  let processID: Int
  /// When it started, in Unix seconds.
  let started: Int

  var json: JSONValue {
    var members = [JSONValue.Member(name: "url", value: .string(url))]
    if let grpcURL { members.append(.init(name: "grpc_url", value: .string(grpcURL))) }
    members += [
      .init(name: "data", value: .string(data)), .init(name: "pid", value: .integer(processID)),
      .init(name: "started", value: .integer(started)),
    ]
    return .object(members)
  }

  init(url: String, grpcURL: String? = nil, data: String, processID: Int, started: Int) {
    (self.url, self.grpcURL, self.data) = (url, grpcURL, data)
    (self.processID, self.started) = (processID, started)
  }

  /// The facts of a server in this process, which has just started.
  init(ofThisProcess url: String, grpcURL: String?, data: String) {
    self.init(url: url, grpcURL: grpcURL, data: data, processID: Int(getpid()), started: time(nil))
  }

  /// Nil if the text is not that of a run file.
  init?(jsonUTF8 bytes: [UInt8]) {
    guard let json = try? JSONValue(jsonUTF8: bytes), let url = json["url"]?.stringValue,
      (try? HTTPURL(parsing: url)) != nil, let data = json["data"]?.stringValue,
      let processID = json["pid"]?.integerValue, let started = json["started"]?.integerValue
    else { return nil }
    let grpcURL = json["grpc_url"]?.stringValue
    self.init(url: url, grpcURL: grpcURL, data: data, processID: processID, started: started)
  }
}

/// The run file of a server: a small file in a private directory, locked as long as the server runs.
///
/// The lock, not the process ID, shows whether the server still runs: the system releases it however the process ends,
/// and reuses process IDs.
final class RunFile {
  private static let suffix = ".json"
  private static let limit = 4096

  let path: String
  private let file: AtomicFile

  /// Writes the file into the first of the directories that can be used; returns nil if none can.
  static func write(_ facts: ServerFacts, in directories: [String] = directories) -> RunFile? {
    for directory in directories {
      if let file = try? RunFile(facts, in: directory) { return file }
    }
    return nil
  }

  private init(_ facts: ServerFacts, in directory: String) throws {
    path = "\(directory)/\(facts.processID)-\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.suffix)"
    try PrivateFiles().makeDirectory(of: path)
    var file = try AtomicFile(for: path, mode: 0o600)
    // Before the file has its name, so that no program finds it unlocked.
    guard fchmod(file.descriptor, 0o600) == 0, flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw SystemError.last
    }
    try file.write(facts.json.jsonUTF8)
    try file.publish()
    self.file = file
  }

  /// Removes the file. The lock ends with the process.
  func remove() { unlink(path) }

  /// The directories for run files, the preferred one first.
  static var directories: [String] {
    let runtime = System.variable("XDG_RUNTIME_DIR")
    return [runtime, UserDirectories.state].compactMap(\.self).filter { $0.hasPrefix("/") }.map { "\($0)/nova/serve" }
  }

  // MARK: Reading

  /// The running servers of this user, newest first. Removes the files of servers that have ended.
  static func running(in directories: [String] = directories) -> [ServerFacts] {
    var facts: [ServerFacts] = []
    for directory in directories where (try? TrustedDirectory.check(directory)) == true {
      for name in SystemIO.fileNames(in: directory) {
        let path = "\(directory)/\(name)"
        if name.hasSuffix(suffix), let server = read(path) { facts.append(server) }
      }
    }
    return facts.sorted { ($0.started, $0.url) > ($1.started, $1.url) }
  }

  private static func read(_ path: String) -> ServerFacts? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard (try? PrivateFiles.requirePrivate(descriptor, path)) != nil else { return nil }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      unlink(path)
      return nil
    }
    guard errno == EWOULDBLOCK, let bytes = try? SystemIO.readAll(descriptor, limit: limit) else { return nil }
    return ServerFacts(jsonUTF8: bytes)
  }
}
