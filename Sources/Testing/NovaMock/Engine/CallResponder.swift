package import NovaCore

/// What responds, in place of a backend, to the calls that no stub responds to: a gateway, or a recording.
package protocol CallResponder: Sendable {
  /// Responds to a request.
  ///
  /// - Parameter request: the request as the client sent it; the origin of its URL does not matter.
  /// - Throws: ``TransportError`` if there is no response.
  nonisolated(nonsending) func respond(to request: HTTPRequest) async throws -> SourcedResponse

  /// Whether it reads a request's body while it arrives. Otherwise, the body of ``respond(to:)`` is in memory.
  var streamsRequests: Bool { get }

  /// Forgets which responses it has given.
  func reset()
}

/// What a source has for a request.
package enum SourcedResponse: Sendable {
  /// Its response.
  case response(HTTPResponse, from: ResponseOrigin)
  /// It has none. The response is for the client; nil if the backend responds.
  case unmatched(String, HTTPResponse?)
}

/// Where a response comes from, other than the backend and its stubs.
package enum ResponseOrigin: String, Sendable {
  case gateway, recording
}

/// The requests that nothing was prepared for.
struct UnmatchedRequests: Sendable {
  /// A request, with what is closest to it.
  struct Entry: Sendable {
    let method: String
    /// Without secrets.
    let path: String
    let rpc: String?
    /// Why it is unmatched, and the differences from the closest recorded request, a line for each.
    let report: String
  }

  /// Of later ones, only the number is known.
  static let capacity = 1000

  private(set) var entries: [Entry] = []
  private(set) var count = 0

  mutating func append(_ entry: Entry) {
    count += 1
    if entries.count < Self.capacity { entries.append(entry) }
  }
}

extension MockBackend {
  /// Lets a source respond to the calls that no stub responds to. Call it before the first request.
  package func use(_ source: any CallResponder) { responses.withLock { $0 = source } }

  /// What responds in place of this backend; nil for nothing.
  package var source: (any CallResponder)? { responses.withLock { $0 } }

  /// The number of requests that nothing was prepared for: those that a recording does not contain, and paths and methods
  /// outside of the contract.
  package var unmatchedCount: Int { unmatched.withLock { $0.count } }

  /// What is known of them, at most 1,000, in the order of their arrival. Secrets are masked.
  package var unmatchedReports: [String] { unmatched.withLock { $0.entries.map(\.report) } }

  /// Responds to a call from the source.
  ///
  /// - Returns: nil if the backend has to respond.
  nonisolated(nonsending) func sourced(_ call: inout IncomingCall) async throws -> HTTPResponse? {
    guard let source else { return nil }
    if !source.streamsRequests { try await call.collectBody() }
    switch try await source.respond(to: call.request) {
    case .response(let response, let origin):
      call.origin = origin
      return response
    case .unmatched(let report, let response):
      noteUnmatched(&call, report)
      if response == nil { receiveChunk(&call) }
      return response
    }
  }

  /// Remembers a request that nothing was prepared for.
  func noteUnmatched(_ call: inout IncomingCall, _ report: String) {
    let secrets = SecretRedactor(call.request, call.rpc)
    let path = call.query.isEmpty ? call.path : "\(call.path)?\(call.query)"
    let entry = UnmatchedRequests.Entry(
      method: call.request.method.rawValue, path: path.masked(secrets).shortened(to: 2000), rpc: call.rpc?.id,
      report: secrets.shown(report).shortened(to: 4000))
    call.unmatched = entry.report
    unmatched.withLock { $0.append(entry) }
  }

  /// The bytes of an upload that the source did not take go the way of all uploads.
  private func receiveChunk(_ call: inout IncomingCall) {
    guard call.chunk == nil, let chunk = incomingChunk(call.request) else { return }
    chunk.append(call.request.body.inMemory)
    call.chunk = chunk
  }
}

extension IncomingCall {
  /// The maximum size of a body from a file or a stream, in bytes.
  static let largestBody = 64 << 20

  /// Reads the body into memory, unless it is there already.
  mutating func collectBody() async throws {
    if request.body.bytes == nil { request.body = try await request.body.collected(upTo: Self.largestBody) }
  }
}
