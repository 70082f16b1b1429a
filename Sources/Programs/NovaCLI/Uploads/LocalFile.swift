import NovaCore
import NovaMedia

/// A file to upload, which is checked before anything is sent.
struct LocalFile {
  /// What the file is uploaded for.
  enum Purpose {
    case any, picture, video
  }

  let path: String
  /// The media type: the given one, or else the detected one.
  let type: String

  /// - Parameter type: the media type that the user gave; nil to detect it.
  /// - Throws: ``Failure`` if the file cannot be read, is empty, or does not fit its type or purpose.
  init(_ path: String, type given: String? = nil, for purpose: Purpose = .any) throws {
    self.path = path
    let shown = path.printable(to: 200)
    if let problem = System.problem(uploading: path) {
      throw Failure("cannot read \(shown): \(problem)", .badData)
    }
    if path.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw Failure("cannot upload \(shown): its name contains control characters; rename the file", .badData)
    }
    let start = try Failure.explaining("cannot read \(shown)", as: .badData) {
      try System.firstBytes(of: path, count: MediaType.prefixLength)
    }
    let detected = MediaType(detectedIn: start)
    if let given, MediaType.contradicts(given, start) {
      let advice = detected.map { "use --type \($0), or leave out --type" } ?? "leave out --type"
      throw Failure(
        "cannot upload \(shown) as \(given): the content is \(detected?.rawValue ?? "something else"); \(advice)",
        .badData)
    }
    type = given ?? (detected ?? .octetStream).rawValue
    try purpose.check(detected, type: type, of: shown)
  }

  /// Checks all files.
  ///
  /// - Throws: ``Failure``, after it has reported each file that cannot be uploaded.
  static func all(_ paths: [String], type: String? = nil) throws -> [LocalFile] {
    let files = paths.map { path in Result { try LocalFile(path, type: type) } }
    let failures = files.compactMap { file -> Failure? in
      if case .failure(let error) = file { error as? Failure } else { nil }
    }
    guard paths.count > 1, let first = failures.first else { return try files.map { try $0.get() } }
    if failures.count == 1 { throw Failure(first.message, hint: "Nothing was uploaded.", first.status) }
    for failure in failures { Diagnostics.error(failure.message, hint: failure.hint) }
    throw Failure("nothing was uploaded: \(failures.count) of \(paths.count) files cannot be used", .badData)
  }
}

extension LocalFile.Purpose {
  private static let pictures: [MediaType] = [.jpeg, .png, .gif, .webp, .heic]
  private static let videos: [MediaType] = [.mp4, .quickTime]

  /// - Throws: ``Failure`` for a file that cannot serve the purpose.
  fileprivate func check(_ detected: MediaType?, type: String, of file: String) throws {
    switch self {
    case .any: return
    case .picture:
      if let detected, Self.pictures.contains(detected) { return }
      throw Failure(
        "cannot use \(file) as a picture: \(detected.map { "it is \($0)" } ?? "it is not an image")",
        hint: "Use a JPEG, PNG, GIF, WebP or HEIC file.", .badData)
    case .video:
      if let detected, Self.videos.contains(detected) { return }
      // The format of other videos is not detected.
      if detected == nil, type.lowercased().hasPrefix("video/") { return }
      throw Failure(
        "cannot use \(file) as a video: \(detected.map { "it is \($0)" } ?? "it is neither MP4 nor MOV")",
        hint: detected == nil ? "Name the type of another video with --type, such as --type video/webm." : nil,
        .badData)
    }
  }
}

extension String {
  /// The last part of a path.
  var name: String { lastPathPart }
}
