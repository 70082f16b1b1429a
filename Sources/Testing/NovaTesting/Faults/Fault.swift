import NovaCore

/// A way in which a ``FaultServer`` misbehaves.
///
/// ``all`` lists every fault, so that a test can iterate over them; each has a name and a summary. The list can grow,
/// so don't depend on its length.
///
/// ```swift
/// @Test(arguments: Fault.all) func noWriteIsDoneTwice(fault: Fault) async throws {
///   let server = try FaultServer([.fault(fault)])
///   defer { server.stop() }
///   _ = try? await client(server.url).call(SocialRPC.createShare, share)
///   #expect(server.duplicateExecutions.isEmpty)
/// }
/// ```
public struct Fault: Sendable, Identifiable, CustomStringConvertible {
  /// The layer at which a fault occurs.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// Connections that fail, end, or stall.
    public static let connection = Kind(rawValue: "connection")
    /// Responses that are not HTTP, or contradict their headers.
    public static let message = Kind(rawValue: "message")
    /// Valid error responses.
    public static let status = Kind(rawValue: "status")
    /// Redirects.
    public static let redirect = Kind(rawValue: "redirect")
  }

  /// The state of the connection afterwards.
  enum Ending: Sendable { case open, closed }

  /// The moment when a fault occurs.
  enum Moment: Sendable {
    /// Right after accepting the connection, before reading.
    case connected
    /// After reading a request.
    case requested
    /// After reading a second request on the same connection; the first one succeeds.
    case requestedAgain
    /// No connection is accepted.
    case never
  }

  typealias Script = @Sendable (FaultExchange) throws -> Ending

  /// Stable, in lower case with hyphens: `reset-before-headers`.
  public let name: String
  /// One sentence that describes the server's behavior.
  public let summary: String
  /// The layer at which a fault occurs.
  public let kind: Kind
  /// Whether the server executes the request before it fails. If a client cannot know, this is the worse case for
  /// retries: `true`. A ``FaultServer/Step`` can override it.
  public let executes: Bool
  /// Whether only the client's own timeout or limit ends the exchange.
  public let isEndless: Bool
  let moment: Moment
  let script: Script

  init(
    _ name: String, _ summary: String, kind: Kind, executes: Bool, isEndless: Bool = false,
    moment: Moment = .requested, script: @escaping Script
  ) {
    self.name = name
    self.summary = summary
    self.kind = kind
    self.executes = executes
    self.isEndless = isEndless
    self.moment = moment
    self.script = script
  }

  public var id: String { name }
  public var description: String { name }
  /// Whether it affects a connection's second request, so that a test must make a successful call first.
  public var needsWarmUp: Bool { moment == .requestedAgain }
  /// Whether the client must use TLS; ``FaultServer/url`` is then an https URL.
  public var needsTLS: Bool { name == Fault.plainTextOnTLSPort.name }

  /// All faults, those of connections first.
  public static let all: [Fault] = connectionFaults + messageFaults + statusFaults + redirectFaults
}
