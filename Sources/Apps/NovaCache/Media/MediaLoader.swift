import NovaCore
import NovaCrypto
import NovaMedia

/// Loads images through a cache, with a client's streaming GET, for the caller of the options.
final class MediaLoader: Sendable {
  let client: APIClient
  let cache: HTTPCache
  let options: CallOptions
  let maximumBytes: Int

  private static let rpc = MediaService.downloadBytes.descriptor

  init(client: APIClient, cache: HTTPCache, options: CallOptions, maximumBytes: Int) {
    self.client = client
    self.cache = cache
    self.options = options
    self.maximumBytes = maximumBytes
  }

  /// The place of an image; nil if nothing can be loaded from it.
  func place(_ url: String) -> MediaPlace? {
    guard let gateway = try? client.configuration.gatewayURL(for: Self.rpc.service) else { return nil }
    return try? MediaPlace(url, gateway: gateway)
  }

  /// The current caller.
  func identity() async throws -> Identity { try await client.identity(for: options) }

  /// Loads an image.
  ///
  /// - Parameters:
  ///   - name: identifies the image, if its URL's query does not.
  ///   - caller: the caller when the load was requested, if that was earlier; nil for the current caller.
  /// - Throws: `APIError`.
  func load(
    _ url: String, named name: String? = nil, for caller: Task<Identity, any Error>? = nil
  ) async throws -> CachedMedia {
    do {
      guard let place = place(url) else { return try await loadUncached(url) }
      // A storage server receives no token, so its responses are the same for everyone who has the URL. A named image
      // is for the caller only.
      let key = CacheKey.named(name, at: place.url)
      guard place.isOnGateway || key.isNamed else { return try await load(url, at: place, as: key) }
      let identity: Identity
      if let caller {
        identity = try await caller.value
      } else {
        do { identity = try await self.identity() } catch { return try await loadUncached(url) }
      }
      return try await load(url, at: place, as: CacheKey(url: key.url, identity: identity))
    } catch is CancellationError {
      throw APIError(.cancelled, "the load was cancelled", rpc: Self.rpc.id)
    } catch let error as HTTPBodyError {
      throw APIError(.invalidResponse, "cannot load the file", reason: "\(error)", rpc: Self.rpc.id)
    }
  }

  /// Used if the place or the caller is unknown: the client then throws the error, or the response is for this load
  /// only.
  private func loadUncached(_ url: String) async throws -> CachedMedia {
    try image(CacheAnswer(try await send([:], to: url, options)))
  }

  private func load(_ url: String, at place: MediaPlace, as key: CacheKey) async throws -> CachedMedia {
    var request = HTTPRequest(method: .get, url: place.url, headers: place.isOnGateway ? options.headers : [:])
    request.limits.maximumResponseBytes = maximumBytes
    // Keeps the bytes as the server sends them.
    request.decompressesResponse = false
    var options = options
    // Requests in the background and shared requests also run as this caller, or fail.
    if place.isOnGateway, let identity = key.identity { options.caller = OperationCaller(identity) }
    if options.timeout != nil { options.deadline = client.sharedDeadline(options) }
    options.timeout = nil
    let call = CacheCall(
      request: request, key: key, deadline: options.deadline, content: .file,
      send: { [options] in try await self.send($0.headers, to: url, options) })
    return try image(try await cache.engine.answer(call))
  }

  private func send(_ headers: HTTPHeaders, to url: String, _ options: CallOptions) async throws -> HTTPResponse {
    let response = try await client.get(url, headers: headers, for: Self.rpc, limit: maximumBytes, options: options)
    let body = try await response.value.collect(upTo: maximumBytes)
    let result = response.http(body: .bytes(body))
    // Other responses are not stored. A 304 confirms the stored one.
    if result.isSuccess {
      try checkExtent(of: result)
      try checkDigest(of: body, response.headers)
    }
    return result
  }

  /// - Throws: `APIError` unless the response contains the whole file, as the server stores it.
  private func checkExtent(of response: HTTPResponse) throws {
    let count = response.body.inMemory.count
    let problem: String
    let headers = response.headers
    switch BodyExtent(status: response.status, headers: headers, length: headers.contentLength) {
    case .whole(let total) where total ?? count == count: return
    case .whole(let total): problem = "the server sent \(count) of \(total ?? 0) bytes"
    case .part(let bytes, _): problem = BodyExtent.Problem.part(bytes).description
    case .none: problem = BodyExtent.Problem.status(response.status).description
    case .unusable(let reason): problem = reason.description
    }
    throw APIError(.invalidResponse, "cannot load the file", reason: problem, rpc: Self.rpc.id)
  }

  /// - Throws: `APIError` if the bytes differ from the server's digest; they are then neither used nor stored.
  private func checkDigest(of bytes: [UInt8], _ headers: HTTPHeaders) throws {
    let expected = ["Repr-Digest", "Content-Digest"].compactMap { DigestField.sha256($0, in: headers) }
    // Without libcrypto, digests cannot be compared.
    guard !expected.isEmpty, let digest = try? SHA256.digest(of: bytes) else { return }
    guard expected.allSatisfy({ $0 == digest }) else {
      throw APIError(
        .invalidResponse,
        "cannot load the file", reason: "its bytes do not have the digest that the server sent",
        advice: "nothing was kept, load it again",
        rpc: Self.rpc.id)
    }
  }

  private func image(_ answer: CacheAnswer) throws -> CachedMedia {
    guard answer.response.isSuccess else { throw APIError(answer.response) }
    try checkExtent(of: answer.response)
    return CachedMedia(
      bytes: answer.response.body.inMemory, contentType: answer.response.headers["Content-Type"],
      age: .seconds(min(answer.age, Double(CacheControl.longest))), source: answer.source,
      replacesFailure: answer.replacesFailure)
  }
}

/// An image to load in the background. Loads of one image for one caller are equal.
struct PrefetchedImage: Sendable, Hashable {
  let url: String
  /// Identifies the image, if its URL's query does not.
  var name: String?
  let loader: MediaLoader
  /// The caller when the prefetch was requested. Another user may have signed in when its turn comes.
  var caller: Task<Identity, any Error>?

  func load() async { _ = try? await loader.load(url, named: name, for: caller) }

  static func == (left: PrefetchedImage, right: PrefetchedImage) -> Bool {
    left.place == right.place && left.loader === right.loader
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(ObjectIdentifier(loader))
  }

  /// The URL, or the name that replaces its query.
  private var place: String {
    guard let name = name.orNilIfEmpty else { return url }
    return loader.place(url).map { CacheKey.named(name, at: $0.url).url.text } ?? url
  }
}
