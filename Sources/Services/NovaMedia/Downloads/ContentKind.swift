import NovaCore

/// The kind of file that a media type names, and which kinds can be different forms of one file: the one rule for
/// responses that replace a file, in downloads and caches.
///
/// Servers convert images to other images, and videos to audio or pictures. They never convert a picture to JSON: that
/// is an error document of a gateway or a storage server.
enum ContentKind: Sendable, Hashable {
  case image
  /// A video, audio, or a playlist.
  case sound
  case page
  case json
  case xml
  /// Any other text.
  case text
  /// No type, or a type for arbitrary bytes.
  case generic
  /// A document, an archive, or anything else.
  case other

  private static let playlists: Set = [
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/dash+xml", "application/ogg",
    "application/mp4",
  ]
  /// The types that servers send for bytes that they know nothing about.
  private static let genericNames: Set = [
    "", "application/octet-stream", "binary/octet-stream", "application/binary", "application/x-binary",
    "application/unknown", "application/download", "application/x-download", "application/force-download",
    "application/x-octet-stream", "content/unknown", "unknown/unknown",
  ]

  /// - Parameter contentType: a `Content-Type`; nil if absent.
  init(_ contentType: String?) {
    let name = contentType.map(ContentTypeName.of) ?? ""
    if Self.genericNames.contains(name) {
      self = .generic
    } else if name.hasPrefix("image/") {
      self = .image
    } else if name.hasPrefix("video/") || name.hasPrefix("audio/") || Self.playlists.contains(name) {
      self = .sound
    } else if ContentTypeName.isPage(name) {
      self = .page
    } else if ContentTypeName.isJSON(name) || name == "text/json" {
      self = .json
    } else if name == "application/xml" || name == "text/xml" || name.hasSuffix("+xml") {
      self = .xml
    } else {
      self = name.hasPrefix("text/") ? .text : .other
    }
  }

  /// Whether people view or listen to it.
  var isMedia: Bool { self == .image || self == .sound }

  /// Whether a server may report an error, or show a page, in this form.
  var isReport: Bool { [.page, .json, .xml, .text].contains(self) }

  /// Whether a server may have converted a file of this kind to the other kind.
  func mayBecome(_ other: ContentKind) -> Bool {
    switch other {
    case .image, .sound, .other: true
    case .page, .json, .xml, .text: self == other
    case .generic: false
    }
  }
}
