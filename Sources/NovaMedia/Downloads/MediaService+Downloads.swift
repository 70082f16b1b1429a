package import NovaCore

extension MediaService {
  /// Downloads a file to a path on disk.
  ///
  /// The bytes go to `<path>.part`, which takes the place of the file when all of them are there: a reader sees the whole
  /// new file, or what was there before. If the connection is lost, the download continues where it was. If it fails, or if
  /// the task or the program ends, `<path>.part` stays, and the next call with the same URL and path continues. What an
  /// earlier download left is used only if the server confirms that the file has not changed since. If the URL has another
  /// query, such as a new signature, the server must also send the same digest of the file. Nothing is kept of a file for
  /// which the server sends no strong `ETag` or older `Last-Modified`.
  ///
  /// ```swift
  /// let file = try await nova.media.download(url: video.cdnUrl, to: "/videos/holiday.mp4") { progress in
  ///   print("\(progress.receivedBytes) bytes")
  /// }
  /// ```
  ///
  /// `limits.transfer_timeout_seconds` (300 s) limits each request, and not the download, which continues as long as bytes
  /// arrive. `timeout` and `deadline` of the service's options limit the whole download.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway, as the messages of the service have it. The token and the options'
  ///     headers go to the gateway only.
  ///   - path: the path of the file, in a directory that exists. A file that is there is replaced at the end; a symbolic
  ///     link is replaced itself.
  ///   - onProgress: called at the beginning, about ten times a second while bytes arrive, and at the end, from the task of
  ///     the download. Default: none.
  /// - Returns: the file, with its size and what the server reports about it.
  /// - Throws: ``APIError``; `failedPrecondition` if the file cannot be written, another download writes it, or
  ///   `<path>.part` was not left by a download; `invalidResponse` if the bytes do not have the digest that the server
  ///   sends; `cancelled` if the task is cancelled.
  @discardableResult
  public func download(
    url: String, to path: String, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> DownloadedFile {
    try await download(url: url, to: path, source: nil, onProgress: onProgress)
  }

  /// Downloads a file whose URL may be signed again each time.
  ///
  /// - Parameters:
  ///   - source: what identifies the file besides its URL, such as the ID of an upload. With the same source, a download
  ///     continues although the query of the URL is another one.
  ///   - expected: what is known of the file; another one is refused.
  ///   - replaces: whether a file at the path is replaced, also one that appears during the download.
  @discardableResult
  package func download(
    url: String, to path: String, source: String?, expected: ExpectedFile? = nil, replaces: Bool = true,
    onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> DownloadedFile {
    var download = try FileDownload(
      MediaRequest(self, url: url, expected: expected), to: path, source: source, replaces: replaces,
      onProgress: onProgress)
    return try await download.run()
  }

  /// Requests a file, and returns its bytes as they arrive.
  ///
  /// If the connection is lost, reading continues where it was, provided that the server confirms that the file has not
  /// changed. The time limits are those of ``download(url:to:onProgress:)``. Nothing is written to the disk.
  ///
  /// ```swift
  /// let image = try await nova.media.bytes(of: url, limit: 5 << 20).collect()
  /// ```
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway. The token and the options' headers go to the gateway only.
  ///   - limit: the size of the largest file to accept, in bytes.
  /// - Returns: the bytes, and what the server reports about them, once the head of the response is there.
  /// - Throws: ``APIError``; `invalidResponse` if the announced size is larger than the limit. If no size is announced,
  ///   reading throws it.
  public func bytes(of url: String, limit: Int) async throws -> MediaBytes {
    try await bytes(of: url, limit: limit, expected: nil)
  }

  /// The same for a file of which something is known.
  package func bytes(of url: String, limit: Int, expected: ExpectedFile?) async throws -> MediaBytes {
    let request = MediaRequest(self, url: url, expected: expected)
    switch try await request.answer(Continuation(position: 0)) {
    case .body(let first): return try MediaBytes(request, first: first, limit: limit)
    case .contradiction(let error): throw error
    case .complete, .changed, .unclear:
      throw APIError(
        .invalidResponse, "cannot read the bytes: the file has none", rpc: Self.downloadBytes.descriptor.id)
    }
  }

  /// The name of reading bytes in errors and logs. It is not an RPC of the contract.
  package static let downloadBytes = RPC<GetUploadRequest, GetUploadResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "DownloadBytes", effect: .noSideEffects,
    http: HTTPBinding(.get, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Reads the bytes of a file.")
}
