import Foundation
import NovaAuth
import NovaCore
import NovaTestSupport

/// Where a command of a walk gets its token from. All seats share a home directory, and so the caches, the store, the
/// outbox and the records of uploads.
enum WalkSeat: Hashable, Sendable {
  /// The session file that NOVA_SESSION_FILE names.
  case main
  /// The session of a context.
  case side
  /// NOVA_TOKEN, whose user the program does not know.
  case token(WalkUser)
}

extension WalkSeat: CustomStringConvertible {
  var description: String {
    switch self {
    case .main: "main"
    case .side: "side"
    case .token(let user): "token of \(user)"
    }
  }
}

/// The home directory of a walk, and the program in it.
final class WalkDesk: Sendable {
  static let files = ["walk.bin", "talk.bin"]

  let folder: TemporaryFolder
  let gateway: WalkGateway

  init() async throws {
    gateway = try WalkGateway()
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/session", withIntermediateDirectories: false)
    for (index, file) in Self.files.enumerated() {
      _ = try folder.write([UInt8](repeating: UInt8(index), count: 2 * WalkUploads.chunkSize + 1000), to: file)
    }
    let run = try start(["context", "add", "side", "--base-url", gateway.url], at: nil)
    let result = try await run.result()
    guard result.status == 0 else { throw ProgramRun.Failure(description: "\(result)") }
  }

  deinit { gateway.stop() }

  /// Starts `nova`.
  func start(_ arguments: [String], at seat: WalkSeat?, input: String = "") throws -> ProgramRun {
    var environment = ["HOME": folder.path, "NOVA_RETRY_DELAY": "0", "NOVA_IDEMPOTENCY_KEYS": "1"]
    var connection: [String] = []
    switch seat {
    case nil: break
    case .main:
      environment["NOVA_SESSION_FILE"] = sessionPath
      connection = ["--base-url", gateway.url]
    case .side: connection = ["--context", "side"]
    case .token(let user):
      environment["NOVA_TOKEN"] = gateway.goodToken(of: user)
      connection = ["--base-url", gateway.url]
    }
    return try ProgramRun(
      arguments + connection, input: input, environment: environment, directory: URL(filePath: folder.path))
  }

  // MARK: The session of the main seat

  private var sessionPath: String { "\(folder.path)/session/main" }

  /// Makes the access token one that has expired, as the program finds out by itself.
  func ageSession() async throws {
    let store = FileSessionStore(path: sessionPath)
    guard var stored = try await store.load() else { return }
    stored.session.expiresAt = 1
    try await store.save(stored)
  }

  /// Starts a command, and replaces the session by one of another user before the command can refresh it.
  ///
  /// - Parameter start: starts the command, for which this waits until it has to refresh the session, or has ended.
  func replaceSession(
    by user: WalkUser, during start: @escaping @Sendable () throws -> ProgramRun
  ) async throws -> ProgramRun {
    let store = FileSessionStore(path: sessionPath)
    let tokens = gateway.issue(user)
    guard let refresh = RefreshToken(tokens.refresh) else { throw ProgramRun.Failure(description: "no token") }
    let session = Session(
      accessToken: try AccessToken(tokens.access), refreshToken: refresh,
      expiresAt: Int64(Date().timeIntervalSince1970) + 3600, user: User(id: user.id, email: user.email))
    let stored = StoredSession(session: session, origin: gateway.url)
    let lock = "\(sessionPath).lock"
    return try await store.withExclusiveAccess {
      let run = try start()
      try await Self.waitUntilOpen(lock, by: run)
      try await store.save(stored)
      return run
    }
  }

  /// Waits until a program has a file open, or has ended.
  private static func waitUntilOpen(_ path: String, by run: ProgramRun) async throws {
    let descriptors = "/proc/\(run.processIdentifier)/fd"
    while let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors), !names.isEmpty {
      let paths = names.map { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)") }
      if paths.contains(path) { return }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  // MARK: What is on the disk

  /// Who is signed in at a seat.
  ///
  /// - Throws: an error if the session has another user's tokens.
  func user(at seat: WalkSeat) async throws -> WalkUser? {
    let path = seat == .main ? sessionPath : "\(folder.path)/.config/nova/sessions/contexts/side/\(gateway.place)"
    guard let session = try await FileSessionStore(path: path).load()?.session else { return nil }
    let owner = gateway.user(of: session.accessToken.secretValue)
    guard let owner, owner.id == session.user.id else {
      throw ProgramRun.Failure(
        description: "the session of \(session.user.id) has a token of \(owner?.rawValue ?? "nobody")")
    }
    return owner
  }

  /// Removes what was downloaded. Parts of files stay.
  func removeCopies() throws {
    for media in WalkMedia.allCases where folder.names.contains(media.fileName) {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(media.fileName)")
    }
  }

  /// Looks for tokens in all files.
  func checkFiles(_ failure: (String) -> WalkFailure) throws {
    let root = URL(filePath: folder.path)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains(Canary.secret) { throw failure("a token is in \(file.path)") }
    }
  }
}
