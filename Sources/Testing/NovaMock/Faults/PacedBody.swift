import NovaCore

/// A body whose bytes arrive at the rate of lines with limited bandwidth.
struct PacedBody: AsyncSequence, Sendable {
  let body: HTTPBody
  let lines: [BandwidthLine]
  let clock: any CallClock
  /// When the caller gives up; nil for never.
  let deadline: Moment?

  struct AsyncIterator: AsyncIteratorProtocol {
    let paced: PacedBody
    let pieceSize: Int
    var chunks: HTTPBody.AsyncIterator
    var rest: ArraySlice<UInt8> = []

    mutating func next() async throws -> [UInt8]? {
      while rest.isEmpty {
        guard let chunk = try await chunks.next() else { return nil }
        rest = chunk[...]
      }
      let piece = Array(rest.prefix(pieceSize))
      rest = rest.dropFirst(pieceSize)
      try await paced.waitUntilArrived(piece.count)
      return piece
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(paced: self, pieceSize: lines.map(\.pieceSize).min() ?? 1, chunks: body.makeAsyncIterator())
  }

  private func waitUntilArrived(_ count: Int) async throws {
    let now = clock.moment
    let arrival = lines.send(count, at: now)
    let end = deadline.map { Swift.min($0, arrival) } ?? arrival
    if end > now { try await clock.sleep(until: end.instant, tolerance: nil) }
    guard let deadline, arrival >= deadline else { return }
    throw TransportError(
      .totalTimeout, "the response did not end in time (fault bandwidth)", requestMayHaveLeft: true)
  }
}

extension FaultPlan {
  /// The response as it arrives over lines with limited bandwidth.
  func paced(_ response: HTTPResponse, of call: IncomingCall) -> HTTPResponse {
    let lines = limits.compactMap(\.down)
    // What a call over gRPC gets without a message is in its trailers.
    let hasBody = response.body.length != 0 && (call.original == nil || call.isEncoded)
    guard !lines.isEmpty, hasBody else { return response }
    var response = response
    // Files and streams take as long as they take, as on real connections.
    let isOpenEnded = call.isDownload || call.request.streamsResponse || response.isEventStream
    let deadline = isOpenEnded ? nil : call.start.advanced(by: call.request.limits.totalTimeout)
    let length = response.body.length
    let body = PacedBody(body: response.body, lines: lines, clock: call.clock, deadline: deadline)
    response.body = .stream(length.map { HTTPBodyStream(body, length: $0) } ?? HTTPBodyStream(body))
    return response
  }
}

extension IncomingCall {
  /// Waits as long as the request's body takes over lines with limited bandwidth. The bytes of uploads have waited before.
  nonisolated(nonsending) func waitForBody() async throws {
    let lines = fault.limits.compactMap(\.up)
    let size = original?.size ?? request.body.length ?? 0
    guard chunk == nil, size > 0, !lines.isEmpty else { return }
    let arrival = lines.send(size, at: start)
    let deadline = start.advanced(by: request.limits.totalTimeout)
    try await clock.sleep(until: min(arrival, deadline).instant, tolerance: nil)
    guard arrival >= deadline else { return }
    throw TransportError(
      .totalTimeout, "the request was not sent within \(request.limits.totalTimeout) (fault bandwidth)",
      requestMayHaveLeft: true)
  }
}
