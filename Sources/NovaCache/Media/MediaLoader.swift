import NovaCore
import NovaCrypto
import NovaMedia

/// Loads images through a cache, with the streaming GET of a client, for the caller of some options.
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

  /// Where an image is; nil if nothing can be loaded from there.
  func place(_ url: String) -> MediaPlace? {
    try? MediaPlace(url, gateway: client.configuration.baseURL(for: Self.rpc.service))
  }

  /// Whose calls these are now.
  func identity() async throws -> Identity { try await client.identity(for: options) }

  /// Loads an image.
  ///
  /// - Parameter caller: whose load it is if it was ordered earlier; nil for that of now.
  /// - Throws: `APIError`.
  func load(_ url: String, for caller: Task<Identity, any Error>? = nil) async throws -> CachedMedia {
    do {
      guard let place = place(url) else { return try await loadUncached(url) }
      // A storage gets no token, and its responses are the same for everybody.
      guard place.isOnGateway else { return try await load(url, at: place, for: nil) }
      let identity: Identity
      if let caller {
        identity = try await caller.value
      } else {
        do { identity = try await self.identity() } catch { return try await loadUncached(url) }
      }
      return try await load(url, at: place, for: identity)
    } catch is CancellationError {
      throw APIError(.cancelled, "the load was cancelled", rpc: Self.rpc.id)
    } catch let error as HTTPBodyError {
      throw APIError(.invalidResponse, "cannot load the file: \(error)", rpc: Self.rpc.id)
    }
  }

  /// For places and callers that cannot be told: the client has the error for it, or the response is for this load only.
  private func loadUncached(_ url: String) async throws -> CachedMedia {
    try image(CacheAnswer(try await send([:], url, options)))
  }

  private func load(_ url: String, at place: MediaPlace, for identity: Identity?) async throws -> CachedMedia {
    var request = HTTPRequest(method: .get, url: place.url, headers: place.isOnGateway ? options.headers : [:])
    request.limits.maximumResponseBytes = maximumBytes
    // As the client sends it.
    request.decompressesResponse = false
    var options = options
    // Also the requests in the background, and those that others wait for, are this caller's or none.
    if let identity { options.caller = OperationCaller(identity) }
    if options.timeout != nil { options.deadline = client.sharedDeadline(options) }
    options.timeout = nil
    let call = CacheCall(
      request: request, key: CacheKey(url: place.url, identity: identity), deadline: options.deadline,
      send: { [options] in try await self.send($0.headers, url, options) })
    return try image(try await cache.engine.answer(call))
  }

  private func send(_ headers: HTTPHeaders, _ url: String, _ options: CallOptions) async throws -> HTTPResponse {
    let response = try await client.get(url, headers: headers, for: Self.rpc, limit: maximumBytes, options: options)
    let body = try await response.value.collect(upTo: maximumBytes)
    if response.status == 200 { try checkDigest(of: body, response.headers) }
    return response.http(body: .bytes(body))
  }

  /// - Throws: `APIError` if the server sent another digest, so that the bytes are neither used nor stored.
  private func checkDigest(of bytes: [UInt8], _ headers: HTTPHeaders) throws {
    let expected = ["Repr-Digest", "Content-Digest"].compactMap { DigestField.sha256(headers[$0]) }
    // Without libcrypto, nothing can be compared.
    guard !expected.isEmpty, let digest = try? SHA256.digest(of: bytes) else { return }
    guard expected.allSatisfy({ $0 == digest }) else {
      throw APIError(
        .invalidResponse,
        "cannot load the file: its bytes do not have the digest that the server sent; nothing was kept, load it again",
        rpc: Self.rpc.id)
    }
  }

  private func image(_ answer: CacheAnswer) throws -> CachedMedia {
    guard answer.response.isSuccess else { throw APIError(answer.response) }
    return CachedMedia(
      bytes: answer.response.body.inMemory, contentType: answer.response.headers["Content-Type"],
      age: .seconds(min(answer.age, Double(CacheControl.longest))), source: answer.source)
  }
}

/// An image that is to be loaded in the background. Loads of one URL for one caller are the same.
struct PrefetchedImage: Sendable, Hashable {
  let url: String
  let loader: MediaLoader
  /// Whose load it is: that of the moment at which it was ordered. It may have its turn when somebody else has signed in.
  var caller: Task<Identity, any Error>?

  func load() async { _ = try? await loader.load(url, for: caller) }

  static func == (left: PrefetchedImage, right: PrefetchedImage) -> Bool {
    left.url == right.url && left.loader === right.loader
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(ObjectIdentifier(loader))
  }
}
