import NovaCore

extension Fault {
  /// The port refuses connections. This must be the first step, and lasts until ``FaultServer/beginListening()``.
  public static let refuse = connection(
    "refuse", "The port refuses connections.", executes: false, moment: .never
  ) { _ in .closed }

  /// The connection is accepted and reset at once.
  public static let resetOnConnect = connection(
    "reset-on-connect", "The connection is accepted and reset at once.", executes: false, moment: .connected
  ) { $0.reset() }

  /// The connection is accepted, and the server neither reads nor writes.
  public static let hangOnConnect = connection(
    "hang-on-connect", "The connection is accepted, and the server neither reads nor writes.", executes: false,
    isEndless: true, moment: .connected
  ) { exchange in
    exchange.connection.hangWithoutReading()
    return .closed
  }

  /// The server reads the request and never answers.
  public static let hangBeforeHeaders = connection(
    "hang-before-headers", "The server reads the request and never answers.", isEndless: true
  ) { exchange in
    exchange.connection.hang()
    return .closed
  }

  /// The server reads the request and closes the connection without an answer.
  public static let closeBeforeHeaders = connection(
    "close-before-headers", "The server reads the request and closes the connection without an answer."
  ) { _ in .closed }

  /// The server reads the request and resets the connection before it answers.
  public static let resetBeforeHeaders = connection(
    "reset-before-headers", "The server reads the request and resets the connection before it answers."
  ) { $0.reset() }

  /// The server sends the headers and half of the body, then resets the connection.
  public static let resetMidBody = connection(
    "reset-mid-body", "The server sends the headers and half of the body, then resets the connection."
  ) { exchange in
    try exchange.sendHalf()
    return exchange.reset()
  }

  /// The server sends the headers and half of the body, then nothing more.
  public static let hangMidBody = connection(
    "hang-mid-body", "The server sends the headers and half of the body, then nothing more.", isEndless: true
  ) { exchange in
    try exchange.sendHalf()
    exchange.connection.hang()
    return .closed
  }

  /// A body that comes byte by byte.
  ///
  /// - Parameter pause: the time before each byte. Default 100 ms, at which the body takes more than a minute.
  public static func slowBytes(every pause: Duration = .milliseconds(100)) -> Fault {
    connection("slow-bytes", "The body comes byte by byte, with a pause before each.", isEndless: true) { exchange in
      let answer = exchange.answerWithBody
      let body = [UInt8](repeating: UInt8(ascii: " "), count: 1000) + answer.body.inMemory
      try exchange.connection.write(exchange.head(answer, ["Content-Length: \(body.count)"]))
      try exchange.connection.drip(body, every: pause)
      return .closed
    }
  }

  /// The server closes a kept-alive connection when the next request comes on it.
  public static let staleConnection = connection(
    "stale-connection", "The server closes a kept-alive connection when the next request comes on it.", executes: false,
    moment: .requestedAgain
  ) { _ in .closed }

  private static func connection(
    _ name: String, _ summary: String, executes: Bool = true, isEndless: Bool = false, moment: Moment = .requested,
    script: @escaping Script
  ) -> Fault {
    Fault(
      name, summary, kind: .connection, executes: executes, isEndless: isEndless, moment: moment, script: script)
  }

  static let connectionFaults = [
    refuse, resetOnConnect, hangOnConnect, hangBeforeHeaders, closeBeforeHeaders, resetBeforeHeaders, resetMidBody,
    hangMidBody, slowBytes(), staleConnection,
  ]
}
