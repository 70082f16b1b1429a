import NovaCore
import NovaCrypto
import NovaMedia

/// Loads images through a cache, with the streaming GET of a client.
struct MediaLoader: Sendable {
  let client: APIClient
  let cache: HTTPCache
  let partition: String?
  let maximumBytes: Int

  private static let rpc = MediaService.downloadBytes.descriptor

  /// Where an image is; nil if nothing can be loaded from there.
  func place(_ url: String) -> MediaPlace? {
    try? MediaPlace(url, gateway: client.configuration.baseURL(for: Self.rpc.service))
  }

  /// - Throws: `APIError`.
  func load(_ url: String) async throws -> CachedMedia {
    do {
      // The client has the error for it.
      guard let place = place(url) else { return try image(CacheAnswer(try await send([:], url))) }
      return try image(try await cache.engine.answer(call(place, url)))
    } catch is CancellationError {
      throw APIError(.cancelled, "the load was cancelled", rpc: Self.rpc.id)
    } catch let error as HTTPBodyError {
      throw APIError(.invalidResponse, "cannot load the file: \(error)", rpc: Self.rpc.id)
    }
  }

  private func call(_ place: MediaPlace, _ url: String) -> CacheCall {
    var request = HTTPRequest(method: .get, url: place.url)
    request.limits.maximumResponseBytes = maximumBytes
    // As the client sends it.
    request.decompressesResponse = false
    return CacheCall(
      request: request, key: CacheKey(url: place.url, partition: place.isOnGateway ? partition : nil),
      requiresPermission: place.isOnGateway && partition == nil, send: { try await send($0.headers, url) })
  }

  private func send(_ headers: HTTPHeaders, _ url: String) async throws -> HTTPResponse {
    let response = try await client.get(url, headers: headers, for: Self.rpc, limit: maximumBytes)
    let body = try await response.value.collect(upTo: maximumBytes)
    if response.status == 200 { try checkDigest(of: body, response.headers) }
    return HTTPResponse(status: response.status, headers: response.headers, body: body)
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
