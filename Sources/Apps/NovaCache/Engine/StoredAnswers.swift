import NovaCore

/// How requests were answered.
struct CacheCounts: Sendable {
  var hits = 0
  var misses = 0
  var revalidated = 0
}

/// Answers requests with stored responses, and counts how all requests were answered.
struct StoredAnswers: Sendable {
  let store: CacheStore
  let clock: any CallClock
  private let counters = Locked(CacheCounts())

  init(_ store: CacheStore, clock: any CallClock) { (self.store, self.clock) = (store, clock) }

  var counts: CacheCounts { counters.withLock { $0 } }

  func count(_ kind: any WritableKeyPath<CacheCounts, Int> & Sendable) { counters.withLock { $0[keyPath: kind] += 1 } }

  /// The stored response that can answer a call, fresh or stale.
  func reusable(_ found: CacheStore.Found, for call: CacheCall) -> StoredResponse? {
    guard let stored = found.response, stored.answers(call.request) else { return nil }
    return stored
  }

  /// Returns a stored response to a caller as it is.
  ///
  /// - Returns: nil if the body is damaged, or if only the server can answer.
  func serve(_ stored: StoredResponse, _ call: CacheCall) -> CacheAnswer? {
    let freshness = Freshness(stored.head, at: clock.unixTime)
    var stored = stored
    stored.head.headers = HeaderRules.reusable(stored.head.headers)
    guard let answer = answer(from: stored, to: call, status: .hit(freshness)) else { return nil }
    count(\.hits)
    return answer
  }

  /// Answers a request with a stored response: the whole response, the requested part, or 304 if the caller already has
  /// it.
  ///
  /// - Returns: nil if the body is damaged, or if only the server can answer.
  func answer(from stored: StoredResponse, to call: CacheCall, status: CacheStatus) -> CacheAnswer? {
    let freshness = Freshness(stored.head, at: clock.unixTime)
    var response = HTTPResponse(stored.head)
    response.headers["Age"] = freshness.ageField
    status.add(to: &response.headers)
    if Preconditions(call.request.headers).areMet(by: stored.head) {
      response.status = 304
      let age = response.headers["Age"]
      response.headers = HeaderRules.notModified(response.headers)
      response.headers["Age"] = age
      status.add(to: &response.headers)
    } else if call.request.method == .get {
      guard let part = part(of: stored, call.request), let body = body(of: stored, part, call) else { return nil }
      if part.isPartial {
        response.status = 206
        response.headers = PartialResponse.headers(part.range, of: stored.body.count, response.headers)
      }
      response.body = body
    }
    return CacheAnswer(response: response, source: stored.source, age: freshness.age)
  }

  private struct Part {
    let range: Range<Int>
    let isPartial: Bool
  }

  /// The requested part; nil if it is not within the response.
  private func part(of stored: StoredResponse, _ request: HTTPRequest) -> Part? {
    let whole = Part(range: 0..<stored.body.count, isPartial: false)
    guard stored.head.status == 200, let field = request.headers["Range"],
      PartialResponse.isAllowed(by: request.headers["If-Range"], stored.head.headers)
    else { return whole }
    return PartialResponse.requested(field, of: stored.body.count).map { Part(range: $0, isPartial: true) }
  }

  /// The bytes of a part: in memory; or as a stream from the file, if they are too large and the caller reads in
  /// pieces.
  private func body(of stored: StoredResponse, _ part: Part, _ call: CacheCall) -> HTTPBody? {
    let isLarge = stored.body.count > store.largestBodyInMemory
    if case .disk(let file) = stored.body, isLarge, call.request.streamsResponse {
      guard store.verify(file, of: stored) else { return nil }
      return .stream(HTTPBodyStream(DiskChunks(file: file, range: part.range), length: part.range.count))
    }
    guard let bytes = store.bytes(of: stored) else { return nil }
    return .bytes(part.isPartial ? Array(bytes[part.range]) : bytes)
  }
}

extension StoredResponse {
  /// Whether the response can answer the request, fresh or stale.
  func answers(_ request: HTTPRequest) -> Bool {
    if Preconditions(request.headers).areForServer || !StorageRule.isWhole(head) { return false }
    // Decompressed bytes differ from those that the server has.
    if head.headers.isEncoded {
      if !request.decompressesResponse || request.headers["Range"] != nil { return false }
    }
    return body.count <= request.limits.maximumResponseBytes
  }

  /// Whether the head of a later response describes the same body.
  func describes(_ later: StoredHead) -> Bool {
    guard head.isOfSameURL(as: later), isConfirmed(by: later.headers) else { return false }
    let later = later.headers
    if let etag = later["ETag"], !head.headers["ETag"].hasSameBytes(as: etag) { return false }
    if let modified = later["Last-Modified"], modified != head.headers["Last-Modified"] { return false }
    return later["Content-Length"] == nil || later["Content-Length"] == head.headers["Content-Length"]
  }
}
