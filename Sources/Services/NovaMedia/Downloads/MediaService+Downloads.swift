package import NovaCore

extension MediaService {
  /// Downloads a file to a path on disk.
  ///
  /// The bytes are written to `<path>.part`, which replaces the file when it is complete: a reader sees either the
  /// whole new file or the old one. If the connection is lost, the download continues where it was. If it fails, or if
  /// the task or the program ends, `<path>.part` is kept, and the next call with the same URL and path continues it.
  /// The bytes of an earlier download are used only if the server confirms that the file has not changed since. If the
  /// URL has a different query, such as a new signature, the server must also send the same digest of the file. If the
  /// server sends neither a strong `ETag` nor a `Last-Modified` that is old enough, nothing is kept.
  ///
  /// ```swift
  /// let file = try await nova.media.download(url: video.cdnUrl, to: "/videos/holiday.mp4") { progress in
  ///   print("\(progress.receivedBytes) bytes")
  /// }
  /// ```
  ///
  /// `limits.transfer_timeout_seconds` (300 s) limits each request, not the download, which continues as long as bytes
  /// arrive. `timeout` and `deadline` of the service's options limit the whole download.
  ///
  /// - Parameters:
  ///   - url: an absolute URL, or a path on the gateway, as in the service's messages. The token and the options'
  ///     headers are sent to the gateway only.
  ///   - path: the path of the file, in an existing directory. An existing file is replaced at the end. A symbolic link
  ///     is replaced, not its target.
  ///   - onProgress: called from the task of the download: at the beginning, about ten times per second while bytes
  ///     arrive, and at the end. Default: none.
  /// - Returns: the file, with its size and what the server reports about it.
  /// - Throws: ``APIError``: `failedPrecondition` if the file cannot be written, another download writes it, or
  ///   `<path>.part` is not from a download; `invalidResponse` if the bytes don't match the server's digest;
  ///   `cancelled` if the task is cancelled.
  @discardableResult
  public func download(
    url: String, to path: String, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> DownloadedFile {
    try await download(url: url, to: path, source: nil, onProgress: onProgress)
  }

  /// Downloads a file whose URL may be signed again each time.
  ///
  /// - Parameters:
  ///   - source: identifies the file together with its URL, such as the ID of an upload. With the same source, a
  ///     download continues although the URL has a different query.
  ///   - expected: what is known about the file; a different one is refused.
  ///   - replaces: whether to replace a file at the path, even one that appears during the download.
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
  /// If the connection is lost, reading continues where it was, if the server confirms that the file has not changed.
  /// The time limits are those of ``download(url:to:onProgress:)``. Nothing is written to the disk.
  ///
  /// ```swift
  /// let image = try await nova.media.bytes(of: url, limit: 5 << 20).collect()
  /// ```
  ///
  /// - Parameters:
  ///   - url: an absolute URL, or a path on the gateway. The token and the options' headers are sent to the gateway
  ///     only.
  ///   - limit: the maximum size of the file, in bytes.
  /// - Returns: the bytes, and what the server reports about them. Returns when the head of the response has arrived.
  /// - Throws: ``APIError``: `invalidResponse` if the announced size exceeds the limit. If no size is announced,
  ///   reading throws it.
  public func bytes(of url: String, limit: Int) async throws -> MediaBytes {
    try await bytes(of: url, limit: limit, expected: nil)
  }

  /// Requests a file of which something is known.
  package func bytes(of url: String, limit: Int, expected: ExpectedFile?) async throws -> MediaBytes {
    let request = MediaRequest(self, url: url, expected: expected)
    let (verdict, response) = try await request.answer(Continuation(position: 0))
    switch verdict {
    case .body(let head, let bytes):
      return try MediaBytes(request, first: MediaBody(response, head: head, bytes), limit: limit)
    case .contradiction(let problem), .unusable(let problem): throw MediaRequest.failure(problem, response)
    case .complete, .changed, .unclear:
      throw APIError(
        .invalidResponse, "cannot read the bytes", reason: "the file has none", rpc: Self.downloadBytes.descriptor.id)
    }
  }

  /// The name for reading bytes in errors and logs. It is not an RPC of the contract.
  package static let downloadBytes = RPC<GetUploadRequest, GetUploadResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "DownloadBytes", effect: .noSideEffects,
    http: HTTPBinding(.get, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Reads the bytes of a file.")
}
