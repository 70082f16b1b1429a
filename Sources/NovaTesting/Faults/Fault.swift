import NovaCore

/// One way in which a server misbehaves, for a ``FaultServer`` to do.
///
/// ``all`` lists them, so that a test can go through every one; each has a name for a table's row and a sentence for its
/// text. The list grows: do not depend on its length.
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
  /// Where it goes wrong.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// Connections that are not had, end or stand still.
    public static let connection = Kind(rawValue: "connection")
    /// Answers that are no HTTP, or not what their headers say.
    public static let message = Kind(rawValue: "message")
    /// Proper answers that say no.
    public static let status = Kind(rawValue: "status")
    /// Answers that send the client elsewhere.
    public static let redirect = Kind(rawValue: "redirect")
  }

  /// What is left of the connection afterwards.
  enum Ending: Sendable { case open, closed }

  /// When it strikes.
  enum Moment: Sendable {
    /// As soon as the connection is there; nothing is read.
    case connected
    /// When a request has come.
    case requested
    /// When a second request has come on the same connection, the first being answered as it should.
    case requestedAgain
    /// No connection is ever had.
    case never
  }

  typealias Script = @Sendable (FaultExchange) throws -> Ending

  /// Stable, in lower case with hyphens: `reset-before-headers`.
  public let name: String
  /// One sentence that says what the server does.
  public let summary: String
  /// Where it goes wrong.
  public let kind: Kind
  /// Whether the server has done what the request asks for before it fails. Where a client cannot know, this is the
  /// worse of both for somebody who sends the request again: `true`. A ``FaultServer/Step`` can say otherwise.
  public let executes: Bool
  /// Whether only the client's own timeout or limit ends the exchange.
  public let isEndless: Bool
  let moment: Moment
  let script: Script

  init(
    _ name: String, _ summary: String, _ kind: Kind, executes: Bool, isEndless: Bool = false,
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
  /// Whether it strikes a connection's second request: a test must make a good call first.
  public var needsWarmUp: Bool { moment == .requestedAgain }
  /// Whether the client has to speak TLS for it; ``FaultServer/url`` is then an https URL.
  public var needsTLS: Bool { name == Fault.plainTextOnTLSPort.name }

  /// Every fault, those of connections first.
  public static let all: [Fault] = connectionFaults + messageFaults + statusFaults + redirectFaults
}

/// What a fault has at hand when it strikes.
struct FaultExchange {
  let connection: RawConnection
  /// Nil before one has been read.
  let request: HTTPRequest?
  /// What the server would have answered.
  let answer: HTTPResponse
  /// The time of day in seconds since 1970.
  let now: Double
  /// The origins of this server and of its neighbour.
  let origin: String
  let otherOrigin: String

  /// Writes a complete answer.
  func send(_ response: HTTPResponse) throws -> Fault.Ending {
    let isBodiless = response.status == 204 || request?.method == .head
    let lines = response.status == 204 ? [] : ["Content-Length: \(response.body.inMemory.count)"]
    try connection.write(head(response, lines) + (isBodiless ? [] : response.body.inMemory))
    return .open
  }

  /// The head of an answer, with the lines that say where its body ends.
  func head(_ response: HTTPResponse, _ framing: [String]) -> [UInt8] {
    let fields = response.headers.filter { !$0.name.equalsIgnoringASCIICase("Content-Length") }
    let lines = ["HTTP/1.1 \(response.status) \(Self.phrase(response.status))"]
    let all = lines + fields.map { "\($0.name): \($0.value)" } + framing
    return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The answer with a body that can be cut in two.
  var answerWithBody: HTTPResponse {
    var answer = answer
    if answer.status == 204 { answer.status = 200 }
    if answer.body.inMemory.count < 2 { answer.body = .bytes(Array("{}".utf8)) }
    return answer
  }

  private static func phrase(_ status: Int) -> String {
    let phrases = [
      200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 409: "Conflict",
      429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
      504: "Gateway Timeout",
    ]
    return phrases[status] ?? "Status"
  }
}
