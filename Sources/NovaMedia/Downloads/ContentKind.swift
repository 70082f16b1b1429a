import NovaCore

/// What kind of file a media type names, and which kinds can be another form of the same file: the one rule for what comes
/// in place of a file, in downloads and caches.
///
/// Servers convert images to other images, and videos to sound or pictures. None of them turns a picture into JSON: that is
/// the error document of a gateway or a storage.
enum ContentKind: Sendable, Hashable {
  case image
  /// A video, sound, or the playlist of one.
  case sound
  case page
  case json
  case xml
  /// Text that is nothing of the above.
  case text
  /// No type, or one that stands for any bytes.
  case generic
  /// A document, an archive, and what else there is.
  case other

  private static let playlists: Set = [
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/dash+xml", "application/ogg",
    "application/mp4",
  ]
  /// What servers and storages call bytes of which they know nothing.
  private static let genericNames: Set = [
    "", "application/octet-stream", "binary/octet-stream", "application/binary", "application/x-binary",
    "application/unknown", "application/download", "application/x-download", "application/force-download",
    "application/x-octet-stream", "content/unknown", "unknown/unknown",
  ]

  /// - Parameter contentType: a `Content-Type`; nil for none.
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

  /// Whether it is what people look at and listen to.
  var isMedia: Bool { self == .image || self == .sound }

  /// Whether a server may report an error, or show a page, in this form.
  var isReport: Bool { [.page, .json, .xml, .text].contains(self) }

  /// Whether a server may have converted a file of this kind to one of another type.
  func mayBecome(_ other: ContentKind) -> Bool {
    switch other {
    case .image, .sound, .other: true
    case .page, .json, .xml, .text: self == other
    case .generic: false
    }
  }
}
