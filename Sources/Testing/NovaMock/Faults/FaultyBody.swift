import NovaCore

extension HTTPResponse {
  /// Changes the byte in the middle of the body.
  mutating func damageBody() {
    guard let length = body.length, length > 0 else { return }
    body = .stream(HTTPBodyStream(FaultyBody(body, damagedAt: length / 2), length: length))
  }

  /// Ends the connection after a part of the body. A shorter body arrives whole, and then the connection ends.
  mutating func cutBody(after count: Int, fault: String) {
    let error = TransportError(
      .connectionLost, "the connection was closed after \(count) bytes of the body (fault \(fault))",
      requestMayHaveLeft: true)
    // One more byte is announced than can arrive. A stream announces nothing, and a part has its own range.
    let isPart = headers["Content-Range"] != nil
    let length = isEventStream ? nil : isPart ? body.length : max(body.length ?? 0, count + 1)
    body = .stream(HTTPBodyStream(FaultyBody(body, cutAfter: count, with: error), length: length))
    headers["Content-Length"] = headers["Content-Length"].flatMap { _ in length.map(String.init) }
  }
}

/// The chunks of a body with a fault.
private struct FaultyBody: AsyncSequence, Sendable {
  private let body: HTTPBody
  private let damagedByte: Int?
  private let cut: (count: Int, error: TransportError)?

  init(_ body: HTTPBody, damagedAt place: Int) {
    (self.body, damagedByte, cut) = (body, place, nil)
  }

  init(_ body: HTTPBody, cutAfter count: Int, with error: TransportError) {
    (self.body, damagedByte, cut) = (body, nil, (count, error))
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: HTTPBody.AsyncIterator
    fileprivate let damagedByte: Int?
    fileprivate let cut: (count: Int, error: TransportError)?
    private var position = 0

    fileprivate init(_ body: FaultyBody) {
      (chunks, damagedByte, cut) = (body.body.makeAsyncIterator(), body.damagedByte, body.cut)
    }

    mutating func next() async throws -> [UInt8]? {
      if let cut, position >= cut.count { throw cut.error }
      guard var chunk = try await chunks.next() else {
        if let cut { throw cut.error }
        return nil
      }
      if let cut { chunk = Array(chunk.prefix(cut.count - position)) }
      if let place = damagedByte.map({ $0 - position }), chunk.indices.contains(place) { chunk[place] ^= 1 }
      position += chunk.count
      return chunk
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
