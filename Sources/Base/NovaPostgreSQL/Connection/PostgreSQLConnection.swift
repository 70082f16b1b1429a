internal import CNovaPostgreSQL
import NovaLibc
import NovaSupport

/// A connection, which belongs to a thread of its own: libpq blocks while it resolves names and connects, and a connection
/// must not be used by two threads. Statements reach the thread through an inbox.
///
/// `@unchecked`, because ``handle`` and ``session`` are used on the thread only; all else is constant or locked.
final class PostgreSQLConnection: @unchecked Sendable {
  /// What the connection can be used for.
  enum Status: Sendable { case connecting, idle, inTransaction, inFailedTransaction, lost }

  /// What the owner learns, on the connection's thread.
  struct Events: Sendable {
    /// The first event: it is connected, or it failed and has ended.
    var opened: @Sendable (PostgreSQLConnection, Result<Void, PostgreSQLError>) -> Void
    /// The last event of a connection that was opened.
    var ended: @Sendable (PostgreSQLConnection) -> Void
    /// It was unused for the idle time; it is closed if this returns true.
    var mayEndIdle: @Sendable (PostgreSQLConnection) -> Bool = { _ in false }
    var notified: @Sendable (_ channel: String, _ payload: String) -> Void = { _, _ in }
  }

  private struct Inbox {
    var statements = Queue<Statement>()
    var isClosing = false
    var isOver = false
    var status = Status.connecting
  }

  let target: ConnectionString
  let limits: PostgreSQLPoolOptions
  let start = ContinuousClock.now
  private let events: Events
  private let wake: WakePipe
  private let inbox = Locked(Inbox())
  private var session: ConnectionSession?

  init(_ target: ConnectionString, limits: PostgreSQLPoolOptions, events: Events) throws(PostgreSQLError) {
    (self.target, self.limits, self.events) = (target, limits, events)
    wake = try WakePipe()
  }

  /// Starts the thread, which keeps the connection alive.
  func open() {
    let context = Unmanaged.passRetained(self)
    let status = nova_pg_start_thread(
      { Unmanaged<PostgreSQLConnection>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
    guard status != 0 else { return }
    context.release()
    let reason = SystemError(code: status).reason
    events.opened(self, .failure(PostgreSQLError(.connection, "there is no thread for a connection (\(reason))")))
  }

  var status: Status { inbox.withLock { $0.status } }

  /// Runs a statement after those before it.
  func run(_ statement: Statement) async throws -> StatementResult {
    let isAccepted = inbox.withLock { inbox in
      if inbox.isOver || inbox.isClosing { return false }
      inbox.statements.append(statement)
      return true
    }
    guard isAccepted else { throw PostgreSQLError(.connection, "the connection was lost") }
    wake.wake()
    return try await withTaskCancellationHandler {
      try await statement.result()
    } onCancel: {
      statement.cancel()
      wake.wake()
    }
  }

  /// Ends the connection after the running statement.
  func close() {
    inbox.withLock { $0.isClosing = true }
    wake.wake()
  }

  // MARK: On the thread

  private func run() {
    let session: ConnectionSession
    do throws(PostgreSQLError) {
      session = try ConnectionSession(connecting: target, limits, wake, notified: events.notified)
    } catch {
      inbox.withLock { ($0.isOver, $0.status) = (true, .lost) }
      return events.opened(self, .failure(error))
    }
    self.session = session
    inbox.withLock { $0.status = .idle }
    events.opened(self, .success(()))
    serve(session)
    session.close()
    let unfinished = inbox.withLock { inbox in
      (inbox.isOver, inbox.status) = (true, .lost)
      defer { inbox.statements = Queue() }
      return Array(inbox.statements.all)
    }
    for statement in unfinished { statement.finish(.failure(ConnectionSession.lost)) }
    events.ended(self)
  }

  private func serve(_ session: ConnectionSession) {
    while session.isUsable {
      let (statement, isClosing) = inbox.withLock { ($0.statements.popFirst(), $0.isClosing) }
      if let statement {
        let result = session.execute(statement)
        let status = session.status
        // Before the result, whose receiver reads it.
        inbox.withLock { $0.status = status }
        statement.finish(result)
      } else if isClosing {
        return
      } else if session.waitIdle(for: limits.maximumIdleTime) == .timeUp, events.mayEndIdle(self) {
        return
      }
    }
  }
}
