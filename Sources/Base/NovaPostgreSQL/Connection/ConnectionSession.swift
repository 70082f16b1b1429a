internal import CNovaPostgreSQL
import NovaLibc
import NovaSupport

/// An open connection on its thread: sends statements without blocking, so that they can be cancelled.
final class ConnectionSession {
  enum Wait { case woken, timeUp }

  /// Why a running statement is given up.
  private enum Stop { case cancelled, timeUp }

  static let lost = PostgreSQLError(.connection, "the connection was lost before the statement was sent")

  private let handle: UnsafeMutableRawPointer
  private let target: ConnectionString
  private let limits: PostgreSQLPoolOptions
  private let wake: WakePipe
  private let notified: @Sendable (String, String) -> Void
  private let password: String?
  /// Not 0 after the server has announced that it ends the connection.
  private let isEnded: UnsafeMutablePointer<Int32>
  /// Whether the connection must not be used again.
  private var isSpoiled = false

  /// Connects, which blocks.
  init(
    connecting target: ConnectionString, _ limits: PostgreSQLPoolOptions, _ wake: WakePipe,
    notified: @escaping @Sendable (String, String) -> Void
  ) throws(PostgreSQLError) {
    let isEnded = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    isEnded.initialize(to: 0)
    let opened = Self.withLists(target.options) { nova_pg_connect($0, $1, isEnded) }
    guard let opened else {
      isEnded.deallocate()
      throw PostgreSQLError(.connection, "there is not enough memory")
    }
    let password = nova_pg_password(opened).map { String(cString: $0) }
    guard nova_pg_status(opened) == NOVA_PG_STATUS_OK, nova_pg_set_nonblocking(opened) == 0 else {
      let message = target.masked(String(cString: nova_pg_message(opened)), password: password)
      nova_pg_close(opened)
      isEnded.deallocate()
      throw PostgreSQLError(.connection, message)
    }
    (handle, self.password, self.isEnded) = (opened, password, isEnded)
    (self.target, self.limits, self.wake, self.notified) = (target, limits, wake, notified)
  }

  private static func withLists<Result>(
    _ options: [(keyword: String, value: String)],
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let keywords = options.map { strdup($0.keyword) } + [nil], values = options.map { strdup($0.value) } + [nil]
    defer { for text in keywords + values { free(text) } }
    return body(keywords.map { $0.map { UnsafePointer($0) } }, values.map { $0.map { UnsafePointer($0) } })
  }

  func close() {
    nova_pg_close(handle)
    isEnded.deallocate()
  }

  var isUsable: Bool { !isSpoiled && nova_pg_status(handle) == NOVA_PG_STATUS_OK }

  var status: PostgreSQLConnection.Status {
    guard isUsable else { return .lost }
    return switch Int(nova_pg_transaction_status(handle)) {
    case NOVA_PG_TRANSACTION_IDLE: .idle
    case NOVA_PG_TRANSACTION_OPEN: .inTransaction
    case NOVA_PG_TRANSACTION_FAILED: .inFailedTransaction
    default: .lost
    }
  }

  // MARK: Waiting

  /// Waits until there is work. Reads notifications, and notices when the server closes the connection.
  func waitIdle(for limit: Duration) -> Wait {
    let isDue = poll(for: Int16(POLLIN), until: .now.advanced(by: limit))
    receive()
    return isDue ? .woken : .timeUp
  }

  /// Reads what has arrived.
  private func receive() {
    if nova_pg_consume(handle) == 0 { isSpoiled = true }
    final class Box { var all: [(String, String)] = [] }
    let box = Box()
    while nova_pg_take_notification(
      handle, Unmanaged.passUnretained(box).toOpaque(),
      { context, channel, payload in
        guard let context else { return }
        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().all
          .append((String(cString: channel), String(cString: payload)))
      }) != 0
    {}
    if isEnded.pointee != 0 { isSpoiled = true }
    for (channel, payload) in box.all { notified(channel, payload) }
  }

  /// Returns whether something happened before the deadline.
  private func poll(for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    var descriptors = [
      pollfd(fd: nova_pg_socket(handle), events: events, revents: 0),
      pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    let rest = max(.zero, min(ContinuousClock.now.duration(to: deadline), .seconds(86_400)))
    let milliseconds = rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000 + 1
    let count = NovaLibc.poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds))
    if descriptors[1].revents != 0 { wake.drain() }
    return count != 0
  }

  // MARK: Statements

  func execute(_ statement: Statement) -> Result<StatementResult, any Error> {
    if statement.isCancelled { return .failure(CancellationError()) }
    if statement.deadline <= .now { return .failure(PostgreSQLError(.timeout, "the statement was not sent in time")) }
    do {
      if statement.sql.utf8.contains(0) {
        throw PostgreSQLError.invalidArgument("the statement contains the character NUL")
      }
      let parameters = try ParameterBuffer(statement.parameters)
      receive()
      guard isUsable, parameters.send(statement.sql, over: handle) else {
        isSpoiled = true
        throw Self.lost
      }
      return .success(try finish(statement))
    } catch { return .failure(error) }
  }

  private func finish(_ statement: Statement) throws -> StatementResult {
    var reader = ResultReader()
    var stop: Stop?
    var end = statement.deadline
    while true {
      let unsent = nova_pg_flush(handle)
      if unsent < 0 { throw broken(stop) }
      if unsent == 0, nova_pg_is_busy(handle) == 0 {
        guard let result = nova_pg_result(handle) else { break }
        reader.read(result)
        // The server waits for data, or sends some that no caller reads.
        if reader.isCopy {
          isSpoiled = true
          throw PostgreSQLError.invalidArgument("COPY from or to the client is not supported; use INSERT or SELECT")
        }
        continue
      }
      // libpq reads TLS records of other servers than PostgreSQL in part, and the socket does not show the rest.
      let next = nova_pg_uses_tls(handle) == 0 ? end : min(end, .now.advanced(by: Self.tlsPause))
      _ = poll(for: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0), until: next)
      let isTimeUp = ContinuousClock.now >= end
      if stop != nil, isTimeUp { throw broken(stop) }
      if stop == nil, isTimeUp || statement.isCancelled {
        stop = isTimeUp ? .timeUp : .cancelled
        end = .now.advanced(by: limits.cancelTimeout)
        nova_pg_cancel(handle)
      }
      receive()
      if isSpoiled, nova_pg_is_busy(handle) != 0 { throw broken(stop) }
    }
    return try outcome(of: reader, stop)
  }

  private static let tlsPause = Duration.milliseconds(50)

  private func outcome(of reader: ResultReader, _ stop: Stop?) throws -> StatementResult {
    let isCancelled = reader.failure?.sqlState == "57014"
    // Unless it was this request to cancel, and not a time limit of the server, the request can still be on its way, and would
    // hit the next statement. Only the text tells; in another language, the connection is not used again.
    let isConfirmed = isCancelled && reader.failure?.message.contains("user request") == true
    if stop != nil, !isConfirmed { isSpoiled = true }
    if let stop, isCancelled {
      guard stop == .timeUp else { throw CancellationError() }
      throw PostgreSQLError(.timeout, "the statement was cancelled when its time was up")
    }
    // A commit whose wait for a standby was cancelled looks like one that has succeeded.
    if stop == .timeUp, reader.failure == nil {
      throw PostgreSQLError(.timeout, "the statement ended after its time was up", mayHaveRun: true)
    }
    if var failure = reader.failure {
      failure.message = target.masked(failure.message, password: password)
      if nova_pg_status(handle) != NOVA_PG_STATUS_OK {
        isSpoiled = true
        failure.mayHaveRun = failure.sqlState != PostgreSQLError.idleSessionTimeout
        if !failure.mayHaveRun { failure.kind = .connection }
      }
      // Of a server that is no longer the primary.
      if failure.sqlState == "25006", target.value("target_session_attrs") != nil { isSpoiled = true }
      throw failure
    }
    return reader.result
  }

  /// The error after a lost connection, or when the server does not confirm that it has cancelled the statement.
  private func broken(_ stop: Stop?) -> any Error {
    isSpoiled = true
    switch stop {
    case .cancelled: return CancellationError()
    case .timeUp: return PostgreSQLError(.timeout, "the connection was closed", mayHaveRun: true)
    case nil:
      let message = target.masked(String(cString: nova_pg_message(handle)), password: password)
      return PostgreSQLError(
        .connection, message.isEmpty ? "the connection was lost" : message,
        mayHaveRun: !PostgreSQLError.isOfIdleConnection(message))
    }
  }
}
