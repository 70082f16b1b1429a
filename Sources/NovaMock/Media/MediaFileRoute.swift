import NovaCore
import NovaMedia
import NovaRegistry

/// The paths outside the RPCs: the destination of uploaded bytes, and the files to download.
enum MediaFileRoute: Sendable {
  case uploadBytes(id: String)
  case file(id: String, name: String)

  static let thumbnailName = "thumbnail.gif"
  private static let uploadTemplate = PathTemplate(MediaPaths.uploadBytes)
  private static let fileTemplate = PathTemplate(MediaPaths.file)

  init?(_ path: String) {
    if let variables = Self.uploadTemplate.match(path), let id = variables["id"] {
      self = .uploadBytes(id: id)
    } else if let variables = Self.fileTemplate.match(path), let id = variables["id"], let name = variables["name"] {
      self = .file(id: id, name: name)
    } else {
      return nil
    }
  }

  /// Returns the destination of an upload's bytes.
  static func uploadURL(_ id: String) -> String { "/api/v1/media/upload/\(id)/bytes" }

  /// Returns the URL of a file.
  static func url(_ id: String, _ name: String) -> String { "/media/\(id)/\(PercentEncoding.encode(name))" }

  /// Responds to a request that changes nothing; see ``UploadedChunk`` for the others.
  func answer(_ request: HTTPRequest, _ state: MockState) -> HTTPResponse {
    switch (self, request.method) {
    case (.uploadBytes, _): MockFailure.wrongMethod("PUT")
    case (.file(let id, let name), .get): state.file(id, name)
    case (.file, _): MockFailure.wrongMethod("GET, HEAD")
    }
  }
}

extension MockBackend {
  /// Whether a URL is that of a stored file.
  package static func isStoredFile(_ url: String) -> Bool { url.hasPrefix("/media/") }
}

/// The headers of an uploaded file. Browsers must not run it, because it has the mock's origin.
private enum StoredFileHeaders {
  private static let inertImages = ["png", "jpeg", "gif", "webp", "avif", "bmp", "heic", "heif"].map { "image/\($0)" }

  static func make(type: String) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Content-Type": type, "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "sandbox; default-src 'none'",
    ]
    if !isInert(type) { headers["Content-Disposition"] = "attachment" }
    return headers
  }

  /// Whether browsers display the type without running scripts in it.
  private static func isInert(_ type: String) -> Bool {
    if type.contains(",") { return false }
    let type = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    return type == "text/plain" || type.hasPrefix("video/") || type.hasPrefix("audio/") || inertImages.contains(type)
  }
}

extension MockFailure {
  static func wrongMethod(_ allowed: String) -> HTTPResponse {
    var response = MockFailure(.unimplemented, "use \(allowed) here").response
    response.status = 405
    response.headers["Allow"] = allowed
    return response
  }
}

extension MockState {
  /// Returns a file: a completed upload, a video's thumbnail, or a reel's encoding, which is the source file.
  fileprivate func file(_ id: String, _ name: String) -> HTTPResponse {
    guard let (type, bytes) = content(of: id, name) else {
      return MockFailure(.notFound, "there is no file \(id)/\(name)").response
    }
    return HTTPResponse(status: 200, headers: StoredFileHeaders.make(type: type), body: bytes)
  }

  private func content(of id: String, _ name: String) -> (type: String, bytes: [UInt8])? {
    if let stored = media.storedUpload(id) {
      guard stored.isCompleted, stored.upload.fileName == name else { return nil }
      let type = stored.upload.contentType
      return (type.isEmpty ? "application/octet-stream" : type, stored.bytes)
    }
    if media.video(id)?.thumbnailUrl.isEmpty == false, name == MediaFileRoute.thumbnailName {
      return ("image/gif", transparentGIF)
    }
    guard let reel = media.reel(id)?.at(now), reel.variants.contains(where: { "\($0.quality).mp4" == name }) else {
      return nil
    }
    return media.storedUpload(reel.uploadId).map { ("video/mp4", $0.bytes) }
  }
}

/// A transparent pixel.
private let transparentGIF = Base64.decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? []
