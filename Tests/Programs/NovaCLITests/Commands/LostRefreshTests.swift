import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

#if os(Linux)
  /// Programs that end during a refresh, after which the refresh token is invalid: the next command must still find a
  /// session if the server repeats a lost response for the same `Idempotency-Key`.
  @Suite(.hangLimit) struct LostRefreshTests {
    /// Where a program is killed.
    enum Moment: String, CaseIterable, Sendable {
      case waiting, requested, rotated, halfAnswered, created, written, published, synced, saved

      var stop: RotatingGateway.Stop {
        switch self {
        case .requested: .requested
        case .rotated: .rotated
        case .halfAnswered: .halfAnswered
        case .saved: .saved
        default: .never
        }
      }

      /// The system call at which it is killed: the temporary file is there, written, at its place, and the directory is
      /// about to be synced.
      var systemCall: String? {
        switch self {
        case .created: "fchmod"
        case .written: "fsync"
        case .published: "/^rename"
        case .synced: "fsync"
        default: nil
        }
      }

      /// Whether the refresh token is used up and the next one is not in the store.
      var loses: Bool { [.rotated, .halfAnswered, .created, .written, .published].contains(self) }
    }

    /// A session file at a gateway, and the program on it.
    final class Home: Sendable {
      let gateway: RotatingGateway
      let path: String
      private let directory: URL

      init(honoursKeys: Bool) async throws {
        gateway = try RotatingGateway(honoursKeys: honoursKeys)
        directory = FileManager.default.temporaryDirectory.appending(path: "nova-lost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
          at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = directory.appending(path: "session").path
        try await gateway.signIn(path)
        // The program's lock file is there before anybody waits for it.
        try await FileSessionStore(path: path).withExclusiveAccess {}
      }

      deinit { try? FileManager.default.removeItem(at: directory) }

      var environment: [String: String] { ["NOVA_SESSION_FILE": path, "NOVA_BASE_URL": gateway.url] }
      var hasSession: Bool { FileManager.default.fileExists(atPath: path) }

      func start(_ arguments: String...) throws -> ProgramRun { try ProgramRun(arguments, environment: environment) }

      func followers() async throws -> RunResult { try await start("followers", "x", "-o", "ids").result() }

      /// What comes after a refresh that was lost, or was not.
      func expectNext(isSignedIn: Bool, _ comment: Testing.Comment) async throws {
        let next = try await followers()
        if isSignedIn {
          #expect(next.status == 0 && next.output == "bob\n", comment)
          #expect(hasSession && gateway.refusals == 0, comment)
          #expect(try await followers().status == 0, comment)
        } else {
          // The service itself refused the refresh token: only that ends a session.
          #expect(next.status == 4 && next.errors.contains("sign in again"), comment)
          #expect(!hasSession && gateway.refusals >= 1, comment)
        }
      }
    }

    /// Only a tracer can tell the steps of saving apart. Two tools can't watch a program at once.
    private static let moments = Moment.allCases.filter { $0.systemCall == nil || !Sanitizer.watchesThreads }

    /// Where nothing is lost, only a gateway without keys could show that something is.
    private static let kills = moments.flatMap { moment in
      (moment.loses ? [true, false] : [false]).map { (moment, honoursKeys: $0) }
    }

    @Test(arguments: kills)
    func aProgramThatIsKilledLosesNoSession(moment: Moment, honoursKeys: Bool) async throws {
      let home = try await Home(honoursKeys: honoursKeys)
      let status = try await Self.kill(at: moment, home)
      #expect(status == 137, "\(moment)")
      home.gateway.stop = .never
      #expect(home.hasSession)
      try await home.expectNext(
        isSignedIn: honoursKeys || !moment.loses, "killed when \(moment), keys honoured: \(honoursKeys)")
    }

    private static func kill(at moment: Moment, _ home: Home) async throws -> Int32 {
      home.gateway.stop = moment.stop
      if let call = moment.systemCall {
        // The second fsync is the directory's.
        let filter = "inject=\(call):signal=SIGKILL:when=\(moment == .synced ? 2 : 1)"
        let program = try ProgramRun.program().path
        return try await ProgramRun(
          ["-f", "-qqq", "-o", "/dev/null", "-e", filter, program, "followers", "x"],
          executable: URL(filePath: "/usr/bin/strace"), environment: home.environment
        ).result().status
      }
      guard moment == .waiting else {
        let run = try home.start("followers", "x")
        try await home.gateway.waitUntilStopped()
        run.signal(SIGKILL)
        return try await run.result().status
      }
      return try await FileSessionStore(path: home.path).withExclusiveAccess {
        let run = try home.start("followers", "x")
        try await waitUntilOpen("\(home.path).lock", by: run)
        run.signal(SIGKILL)
        return try await run.result().status
      }
    }

    private static func waitUntilOpen(_ path: String, by run: ProgramRun) async throws {
      let descriptors = "/proc/\(run.processIdentifier)/fd"
      while true {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        if names.contains(where: {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")) == path
        }) {
          return
        }
        try await Task.sleep(for: .milliseconds(2))
      }
    }

    @Test(arguments: [true, false]) func aConnectionThatIsClosedLosesNoSession(honoursKeys: Bool) async throws {
      let home = try await Home(honoursKeys: honoursKeys)
      home.gateway.stop = .closed
      let first = try await home.followers()
      #expect(first.status == 6 && home.hasSession, "\(first)")
      home.gateway.stop = .never
      try await home.expectNext(isSignedIn: honoursKeys, "keys honoured: \(honoursKeys)")
    }

    /// Told to end, a program finishes the refresh that it has begun, so the server need not repeat it.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalWaitsForTheRefresh(_ signal: Int32) async throws {
      let home = try await Home(honoursKeys: false)
      home.gateway.stop = .rotated
      let run = try home.start("followers", "x")
      try await home.gateway.waitUntilStopped()
      run.signal(signal)
      try await Self.waitUntilDelivered(signal, to: run)
      // Should it make its call all the same, that is not answered before it has noticed the signal.
      home.gateway.stop = .saved
      let result = try await run.result()
      #expect(result.status == 128 + signal && result.output.isEmpty, "\(result)")
      home.gateway.stop = .never
      try await home.expectNext(isSignedIn: true, "signal \(signal)")
      #expect(home.gateway.refreshes == 1)
    }

    /// Once its handler has run, a signal is no longer pending.
    private static func waitUntilDelivered(_ signal: Int32, to run: ProgramRun) async throws {
      func isPending() -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(run.processIdentifier)/status", encoding: .utf8)) ?? ""
        let masks = status.split(separator: "\n").filter { $0.hasPrefix("ShdPnd") || $0.hasPrefix("SigPnd") }
        return masks.contains {
          let mask = UInt64($0.split(separator: "\t").last ?? "", radix: 16) ?? 0
          return mask & (1 << UInt64(signal - 1)) != 0
        }
      }
      while isPending() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: [true, false]) func aSilentServerDoesNotDelayASignal(honoursKeys: Bool) async throws {
      let home = try await Home(honoursKeys: honoursKeys)
      home.gateway.stop = .rotated
      let run = try home.start("followers", "x")
      try await home.gateway.waitUntilStopped()
      run.signal(SIGTERM)
      #expect(try await run.result().status == 143)
      home.gateway.stop = .never
      try await home.expectNext(isSignedIn: honoursKeys, "keys honoured: \(honoursKeys)")
    }

    /// The command did what was asked and says that the next one may not be able to.
    @Test(arguments: [true, false]) func aFullDiskIsReported(honoursKeys: Bool) async throws {
      let home = try await Home(honoursKeys: honoursKeys)
      let run = try ProgramRun(["followers", "x", "-o", "ids"], onDiskOf: 8, environment: home.environment)
      let result = try await run.result()
      #expect(result.status == 74 && result.output == "bob\n", "\(result)")
      #expect(result.errors.contains("could not be saved") && result.errors.contains(home.path), "\(result)")
      // A command that fails has its own exit code, and says both.
      home.gateway.stop = .never
      try await home.expectNext(isSignedIn: honoursKeys, "keys honoured: \(honoursKeys)")
    }

    @Test func aLoginThatCannotBeSavedIsAFailure() async throws {
      let home = try await Home(honoursKeys: true)
      let before = try Data(contentsOf: URL(filePath: home.path))
      let run = try ProgramRun(
        ["login", "ada@example.com", "--password-stdin"], onDiskOf: 8, input: "mock-password\n",
        environment: home.environment)
      let result = try await run.result()
      #expect(result.status == 74 && result.output.isEmpty, "\(result)")
      #expect(result.errors.contains("not signed in") && result.errors.contains(home.path), "\(result)")
      #expect(try Data(contentsOf: URL(filePath: home.path)) == before)
    }
  }
#endif
