import Logging
import NovaOffline
import NovaPostgreSQL
internal import NovaCore

/// What a replica has done, and what it logs: each failure once, and its end.
final class ReplicaReports: Sendable {
  private struct State {
    var delivered = 0
    var refused = 0
    /// Why the last call got no answer.
    var callFailure: String?
    /// The failures of the database since it last answered.
    var databaseFailures: Set<PostgreSQLError.Kind> = []
    /// Whether no write was delivered since a user was found to be signed out.
    var isSignedOut = false
  }

  private let logger: Logger
  private let state = Locked(State())

  init(_ logger: Logger) { self.logger = logger }

  // MARK: Writes

  var delivered: Int { state.withLock { $0.delivered } }
  var refused: Int { state.withLock { $0.refused } }

  func noteDelivery() {
    state.withLock { state in
      state.delivered += 1
      state.isSignedOut = false
    }
  }

  /// A write has become a dead letter.
  func refused(_ entry: String, because failure: OutboxFailure) {
    state.withLock { $0.refused += 1 }
    logger.warning("\(entry) was refused: \(failure.reason)")
  }

  /// A user's writes wait, because there is no valid token.
  func signedOut(_ identity: Identity, because failure: OutboxFailure, matters: Bool) {
    let isNew = state.withLock { state in
      defer { state.isSignedOut = true }
      return !state.isSignedOut
    }
    logger.log(level: matters && isNew ? .warning : .debug, "the writes of \(identity) wait: \(failure.reason)")
  }

  // MARK: The gateway

  func callFailed(_ reason: String) { state.withLock { $0.callFailure = reason } }

  func connectionChanged(to gateway: String, isOnline: Bool, isOfflineMode: Bool) {
    if isOnline {
      logger.notice("the gateway \(gateway) can be reached again")
    } else if isOfflineMode {
      logger.warning("nothing is sent: offline mode is on")
    } else {
      let reason = state.withLock { $0.callFailure }.map { ": \($0)" } ?? ""
      logger.warning("the gateway \(gateway) cannot be reached\(reason); it is probed until it answers")
    }
  }

  // MARK: The database

  func databaseFailed(_ error: any Error) {
    let kind = (error as? PostgreSQLError)?.kind ?? .connection
    let isNew = state.withLock { $0.databaseFailures.insert(kind).inserted }
    logger.log(level: isNew ? .warning : .debug, "the outbox's database failed: \(error); trying again")
  }

  func databaseWorks() {
    let hadFailed = state.withLock { state in
      defer { state.databaseFailures = [] }
      return !state.databaseFailures.isEmpty
    }
    if hadFailed { logger.notice("the outbox's database can be reached again") }
  }
}
