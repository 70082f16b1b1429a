package import NovaCore

extension MediaService {
  /// Downloads a file to a place on disk.
  ///
  /// The bytes go to `<path>.part` beside the place, and take it when all of them are there: a reader sees the whole new
  /// file, or what was there before. If the connection is lost, the download continues where it was; if the task or the
  /// program ends, the next call continues. What an earlier download left is used only if the server confirms that the file
  /// has not changed since.
  ///
  /// ```swift
  /// let file = try await nova.media.download(url: video.cdnUrl, to: "/videos/holiday.mp4") { progress in
  ///   print("\(progress.receivedBytes) bytes")
  /// }
  /// ```
  ///
  /// The limit of a transfer (`limits.totalTimeout`, 300 s) bounds each request and not the download, which goes on as
  /// long as bytes arrive. A timeout or deadline of the service's options bounds the download.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway, as the messages of the service have it. The token and the options'
  ///     headers go to the gateway only.
  ///   - path: the file's place. Its directory must exist. A file in this place is replaced at the end; a symbolic link
  ///     is replaced itself.
  ///   - onProgress: called about ten times a second while bytes arrive, and with the last one. Default: nobody.
  /// - Returns: the file.
  /// - Throws: ``APIError``; `failedPrecondition` if the file cannot be written, another download writes it, or
  ///   `<path>.part` was not left by a download.
  @discardableResult
  public func download(
    url: String, to path: String, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> DownloadedFile {
    var download = try FileDownload(MediaRequest(self, url: url), to: path, onProgress: onProgress)
    return try await download.run()
  }

  /// Requests a file, and returns its bytes as they arrive.
  ///
  /// If the connection is lost, reading continues where it was, provided that the server confirms that the file has not
  /// changed. The limits of time are those of ``download(url:to:onProgress:)``.
  ///
  /// ```swift
  /// let bytes = try await nova.media.bytes(of: user.avatarUrl, limit: 5 << 20)
  /// let image = try await bytes.collect()
  /// ```
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway. The token and the options' headers go to the gateway only.
  ///   - limit: the largest file to accept, in bytes.
  /// - Returns: the bytes, and what the server reports about them.
  /// - Throws: ``APIError``; `invalidResponse` if the file is larger than the limit, as soon as that is known.
  public func bytes(of url: String, limit: Int) async throws -> MediaBytes {
    let request = MediaRequest(self, url: url)
    guard case .body(let first) = try await request.answer(from: 0, of: nil) else {
      throw APIError(
        .invalidResponse, "cannot read the bytes: the file has none", rpc: Self.downloadBytes.descriptor.id)
    }
    return try MediaBytes(request, first: first, limit: limit)
  }

  /// The name of reading bytes in errors and logs. It is not an RPC of the contract.
  package static let downloadBytes = RPC<GetUploadRequest, GetUploadResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "DownloadBytes", effect: .noSideEffects,
    http: HTTPBinding(.get, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Reads the bytes of a file.")
}
