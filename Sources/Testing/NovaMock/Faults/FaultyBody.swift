import NovaCore

extension HTTPResponse {
  /// Changes the byte in the middle of the body.
  mutating func damageBody() {
    guard let length = body.length, length > 0 else { return }
    body = .stream(HTTPBodyStream(FaultyBody(body: body, damagedByte: length / 2), length: length))
  }

  /// Ends the connection after a part of the body. A shorter body arrives whole, and then the connection ends.
  mutating func cutBody(after count: Int, fault: String) {
    let error = TransportError(
      .connectionLost, "the connection was closed after \(count) bytes of the body (fault \(fault))",
      requestMayHaveLeft: true)
    // One more byte is announced than can arrive. A stream announces nothing, and a part has its own range.
    let isPart = headers["Content-Range"] != nil
    let length = isEventStream ? nil : isPart ? body.length : max(body.length ?? 0, count + 1)
    body = .stream(HTTPBodyStream(FaultyBody(body: body, cut: (count, error)), length: length))
    headers["Content-Length"] = headers["Content-Length"].flatMap { _ in length.map(String.init) }
  }
}

/// The chunks of a body with a fault.
private struct FaultyBody: AsyncSequence, Sendable {
  let body: HTTPBody
  var damagedByte: Int?
  var cut: (count: Int, error: TransportError)?

  struct AsyncIterator: AsyncIteratorProtocol {
    let fault: FaultyBody
    var chunks: HTTPBody.AsyncIterator
    var position = 0

    mutating func next() async throws -> [UInt8]? {
      if let cut = fault.cut, position >= cut.count { throw cut.error }
      guard var chunk = try await chunks.next() else {
        if let cut = fault.cut { throw cut.error }
        return nil
      }
      if let cut = fault.cut { chunk = Array(chunk.prefix(cut.count - position)) }
      if let place = fault.damagedByte.map({ $0 - position }), chunk.indices.contains(place) { chunk[place] ^= 1 }
      position += chunk.count
      return chunk
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fault: self, chunks: body.makeAsyncIterator()) }
}
