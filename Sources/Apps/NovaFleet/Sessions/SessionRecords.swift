internal import NovaCore

/// What a store has under one name.
struct SessionRecord: Sendable, Hashable {
  /// How a session ended.
  enum End: Sendable, Hashable {
    case signedOut
    /// The server refused a refresh token, whose name this is.
    case refused(String)
  }

  /// Grows with each change: to the time in milliseconds, or by one when the server refuses the session. 0 if the store
  /// has nothing.
  var generation: Int64
  /// The sealed session; empty without one.
  var sealed: [UInt8] = []
  /// How the session ended; nil if it has not, or never began.
  var end: End?
  /// The name of the session's refresh token, which a lease is for.
  var token = ""
  /// The time of the store's clock when it was read, in Unix seconds; nil for a record to write.
  var time: Double?
}

/// The result of a request for a lease.
enum LeaseAnswer: Sendable {
  case acquired(SessionRecord)
  /// Another owner has it, for at most this long.
  case busy(SessionRecord, remaining: Duration)
}

/// A table of sessions that machines share: one implementation for each engine. Each function is one step for the
/// others, measures time by the store's clock, and may be repeated with the same arguments after a failure.
protocol SessionRecords: Sendable {
  /// The engine, for errors.
  var engine: String { get }

  func read(_ name: String) async throws -> SessionRecord
  /// Acquires the lease, or extends the owner's own.
  func acquire(_ name: String, owner: String, for duration: Duration) async throws -> LeaseAnswer
  /// Extends a lease.
  ///
  /// - Returns: false if another owner has it, or no owner.
  func renew(_ name: String, owner: String, for duration: Duration) async throws -> Bool
  /// Ends a lease if this owner has it.
  func release(_ name: String, owner: String) async throws
  /// Writes a record if the store still has the generation `expected`, or, for nil, any lower generation than the
  /// record's.
  ///
  /// - Parameter write: a random text that identifies this write, also when it is repeated.
  /// - Returns: whether the store has the record now.
  func replace(_ name: String, with record: SessionRecord, expected: Int64?, write: String) async throws -> Bool
  /// An element when changes are received from now on, and for each change under the name. It ends if changes cannot be
  /// received.
  func changes(of name: String) -> AsyncStream<Void>
}

extension SessionRecord.End {
  /// As it is stored.
  var text: String {
    switch self {
    case .signedOut: "signed-out"
    case .refused(let token): "refused \(token)"
    }
  }

  /// Reads a stored text; nil if empty. Of an unknown text, only that the session ended is certain.
  init?(text: String) {
    guard !text.isEmpty else { return nil }
    let parts = text.parts(between: " ", keepsEmpty: false)
    self = parts.count == 2 && parts[0] == "refused" ? .refused(parts[1]) : .signedOut
  }
}
