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

  /// Returns the id of the upload whose file a URL of this backend is, with or without the origin; nil for other URLs.
  static func uploadID(inURL url: String) -> String? {
    guard !url.isEmpty, case .file(let id, _)? = MediaFileRoute(HTTPURL(received: url).path) else { return nil }
    return id
  }

  /// Responds to a request that changes nothing; see ``IncomingChunk`` for the others.
  func response(to request: HTTPRequest, _ state: MockState, viewer: Viewer) -> HTTPResponse {
    switch (self, request.method) {
    case (.uploadBytes, _): .wrongMethod("PUT")
    case (.file(let id, let name), .get), (.file(let id, let name), .head):
      state.file(of: id, named: name, for: request, to: viewer)
    case (.file, _): .wrongMethod("GET, HEAD")
    }
  }
}

extension MockBackend {
  /// Whether a URL is that of a stored file.
  package static func isStoredFile(_ url: String) -> Bool { url.hasPrefix("/media/") }

  /// Whether a URL takes the bytes of an upload, with PUT and no other method.
  package static func isForUploadBytes(_ url: String) -> Bool {
    if case .uploadBytes? = MediaFileRoute(HTTPURL(received: url).path) { true } else { false }
  }
}

extension MockBackend {
  /// Responds to a request for a file.
  ///
  /// A file can be in a web page, which sends no token. A backend that requires tokens treats the page as a stranger.
  func file(_ file: MediaFileRoute, for request: HTTPRequest) throws -> HTTPResponse {
    try withState { state in
      let caller = try state.caller(request.headers)
      return file.response(
        to: request, state, viewer: caller == nil && requiresTokens ? .stranger : Viewer(caller: caller))
    }
  }
}

extension MockState {
  /// Returns a file: a completed upload, a video's thumbnail, or a reel's encoding, which is the source file.
  ///
  /// Only a file that strangers may see is stored by shared caches.
  fileprivate func file(
    of id: String, named name: String, for request: HTTPRequest, to viewer: Viewer
  ) -> HTTPResponse {
    guard var file = storedFile(id, name), showsFile(of: id, to: viewer) else {
      return MockFailure(.notFound, "there is no file \(id)/\(name)").response
    }
    file.isShared = viewer.seesAll || showsFile(of: id, to: .stranger)
    return file.response(to: request)
  }

  private func showsFile(of id: String, to viewer: Viewer) -> Bool {
    if let stored = media.storedUpload(id) { return shows(stored.upload, to: viewer) }
    if let video = media.video(id) { return shows(video, to: viewer) }
    return media.reel(id).map { shows($0.reel, to: viewer) } ?? false
  }

  private func storedFile(_ id: String, _ name: String) -> StoredFile? {
    if let stored = media.storedUpload(id) {
      return stored.upload.fileName == name ? StoredFile(stored, contentType: stored.upload.contentType) : nil
    }
    if let video = media.video(id), !video.thumbnailUrl.isEmpty, name == MediaFileRoute.thumbnailName {
      return StoredFile(
        transparentGIF, digest: transparentGIFDigest, contentType: "image/gif", modified: video.createdAt)
    }
    guard let reel = media.reel(id)?.at(now), reel.variants.contains(where: { "\($0.quality).mp4" == name }) else {
      return nil
    }
    return media.storedUpload(reel.uploadId).flatMap { StoredFile($0, contentType: "video/mp4") }
  }
}

/// A transparent pixel.
private let transparentGIF = Base64.decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? []
private let transparentGIFDigest =
  Hexadecimal.decode("ef1955ae757c8b966c83248350331bd3a30f658ced11f387f8ebf05ab3368629") ?? []

/// The names of byte transfers in fault rules. They are not RPCs.
enum MediaTransfer: String, CaseIterable, Sendable {
  /// `PUT` of a chunk.
  case upload = "media.UploadBytes"
  /// `GET` or `HEAD` of a file.
  case download = "media.DownloadBytes"
}
