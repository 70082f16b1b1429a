import NovaCore

extension Fault {
  /// Nobody listens. It must be a server's first step, and holds until ``FaultServer/beginListening()``.
  public static let refuse = Fault(
    "refuse", "Nobody listens on the port.", .connection, executes: false, moment: .never
  ) { _ in .closed }

  /// The connection is accepted and reset at once.
  public static let resetOnConnect = Fault(
    "reset-on-connect", "The connection is accepted and reset at once.", .connection, executes: false,
    moment: .connected
  ) { $0.reset() }

  /// The connection is accepted, and the server neither reads nor writes.
  public static let hangOnConnect = Fault(
    "hang-on-connect", "The connection is accepted, and the server neither reads nor writes.", .connection,
    executes: false, isEndless: true, moment: .connected
  ) { exchange in
    exchange.connection.hangWithoutReading()
    return .closed
  }

  /// The server reads the request and never answers.
  public static let hangBeforeHeaders = Fault(
    "hang-before-headers", "The server reads the request and never answers.", .connection, executes: true,
    isEndless: true
  ) { exchange in
    exchange.connection.hang()
    return .closed
  }

  /// The server reads the request and closes the connection without an answer.
  public static let closeBeforeHeaders = Fault(
    "close-before-headers", "The server reads the request and closes the connection without an answer.", .connection,
    executes: true
  ) { _ in .closed }

  /// The server reads the request and resets the connection before it answers.
  public static let resetBeforeHeaders = Fault(
    "reset-before-headers", "The server reads the request and resets the connection before it answers.", .connection,
    executes: true
  ) { $0.reset() }

  /// The server sends the headers and half of the body, then resets the connection.
  public static let resetMidBody = Fault(
    "reset-mid-body", "The server sends the headers and half of the body, then resets the connection.", .connection,
    executes: true
  ) { exchange in
    try exchange.sendHalf()
    return exchange.reset()
  }

  /// The server sends the headers and half of the body, then nothing more.
  public static let hangMidBody = Fault(
    "hang-mid-body", "The server sends the headers and half of the body, then nothing more.", .connection,
    executes: true, isEndless: true
  ) { exchange in
    try exchange.sendHalf()
    exchange.connection.hang()
    return .closed
  }

  /// A body that comes byte by byte.
  ///
  /// - Parameter pause: the time before each byte. Default 100 ms, at which the body takes more than a minute.
  public static func slowBytes(every pause: Duration = .milliseconds(100)) -> Fault {
    Fault(
      "slow-bytes", "The body comes byte by byte, with a pause before each.", .connection, executes: true,
      isEndless: true
    ) { exchange in
      let answer = exchange.answerWithBody
      let body = [UInt8](repeating: UInt8(ascii: " "), count: 1000) + answer.body.inMemory
      try exchange.connection.write(exchange.head(answer, ["Content-Length: \(body.count)"]))
      try exchange.connection.drip(body, every: pause)
      return .closed
    }
  }

  /// The server closes a kept-alive connection when the next request comes on it.
  public static let staleConnection = Fault(
    "stale-connection", "The server closes a kept-alive connection when the next request comes on it.", .connection,
    executes: false, moment: .requestedAgain
  ) { _ in .closed }

  static let connectionFaults = [
    refuse, resetOnConnect, hangOnConnect, hangBeforeHeaders, closeBeforeHeaders, resetBeforeHeaders, resetMidBody,
    hangMidBody, slowBytes(), staleConnection,
  ]
}

extension FaultExchange {
  func reset() -> Fault.Ending {
    connection.reset()
    return .closed
  }

  /// The head, which promises the whole body, and the first half of that.
  func sendHalf() throws {
    let answer = answerWithBody
    let half = answer.body.inMemory.prefix(answer.body.inMemory.count / 2)
    try connection.write(head(answer, ["Content-Length: \(answer.body.inMemory.count)"]) + half)
  }
}
