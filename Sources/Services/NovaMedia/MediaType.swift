import NovaCore

/// A media type that the SDK recognizes by a file's first bytes.
///
/// ```swift
/// MediaType(detectedIn: bytes)  // image/png
/// ```
public struct MediaType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The type as in `Content-Type`, such as `image/png`.
  public let rawValue: String

  /// Creates a media type from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  /// A JPEG image.
  public static let jpeg = MediaType(rawValue: "image/jpeg")
  /// A PNG image.
  public static let png = MediaType(rawValue: "image/png")
  /// A GIF image.
  public static let gif = MediaType(rawValue: "image/gif")
  /// A WebP image.
  public static let webp = MediaType(rawValue: "image/webp")
  /// A HEIC image.
  public static let heic = MediaType(rawValue: "image/heic")
  /// An MP4 video.
  public static let mp4 = MediaType(rawValue: "video/mp4")
  /// A QuickTime movie.
  public static let quickTime = MediaType(rawValue: "video/quicktime")
  /// Any bytes.
  public static let octetStream = MediaType(rawValue: "application/octet-stream")

  /// The number of bytes that are needed to detect a type.
  public static let prefixLength = 64

  /// Detects the type of a file by its first bytes; nil unless it is JPEG, PNG, GIF, WebP, HEIC, MP4, or QuickTime.
  ///
  /// - Parameter bytes: the first ``prefixLength`` bytes, or the whole file if it is shorter.
  public init?(detectedIn bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(Self.prefixLength))
    let known: MediaType? =
      if start.starts(with: [0xFF, 0xD8, 0xFF]) {
        .jpeg
      } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        .png
      } else if start.has("GIF87a") || start.has("GIF89a") {
        .gif
      } else if start.has("RIFF"), start.has("WEBP", at: 8) {
        .webp
      } else if start.has("ftyp", at: 4) {
        Self.ofBrands(in: start)
      } else {
        nil
      }
    guard let known else { return nil }
    self = known
  }

  /// The type of an ISO 14496-12 file: that of its first known brand.
  private static func ofBrands(in start: [UInt8]) -> MediaType? {
    // Brands follow the box's size and name. The second word is a version.
    let size = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(start.count, size < 16 ? 12 : size)
    for place in [8] + Array(stride(from: 16, to: end, by: 4)) where place + 4 <= end {
      let brand = String(decoding: start[place..<place + 4], as: UTF8.self)
      if let type = brands[brand] { return type }
    }
    return nil
  }

  private static let brands: [String: MediaType] = {
    var brands = ["qt  ": MediaType.quickTime]
    for brand in ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"] { brands[brand] = .heic }
    let videos = [
      "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VH", "M4VP", "dash", "MSNV",
    ]
    for brand in videos { brands[brand] = .mp4 }
    return brands
  }()

  // MARK: Types that callers give

  /// The detectable type that a content type names, without its parameters; nil for other types.
  init?(contentType: String) {
    let name = ContentTypeName.of(contentType)
    let type = Self.aliases[name] ?? MediaType(rawValue: name)
    guard Self.detectable.contains(type) else { return nil }
    self = type
  }

  private static let detectable: Set<MediaType> = [.jpeg, .png, .gif, .webp, .heic, .mp4, .quickTime]
  private static let aliases: [String: MediaType] = [
    "image/jpg": .jpeg, "image/heif": .heic, "video/mov": .quickTime, "video/x-m4v": .mp4,
  ]
}

extension [UInt8] {
  fileprivate func has(_ text: String, at offset: Int = 0) -> Bool { dropFirst(offset).starts(with: text.utf8) }
}

extension MediaType {
  /// Whether a content type names a detectable type that the bytes don't have. Other content types cannot be checked,
  /// and may be more specific than the detected one.
  package static func contradicts(_ given: String, _ start: [UInt8]) -> Bool {
    MediaType(contentType: given).map { $0 != MediaType(detectedIn: start) } ?? false
  }

  /// The content type of an upload: the caller's if it matches the bytes, or else the detected one.
  ///
  /// - Throws: ``APIError`` `invalidArgument` if the caller's type does not match.
  static func contentType(_ given: String?, for start: [UInt8]) throws -> String {
    let detected = MediaType(detectedIn: start)
    guard let given, !given.isEmpty else { return (detected ?? .octetStream).rawValue }
    guard contradicts(given, start) else { return given }
    let found = detected.map { "are \($0)" } ?? "are not"
    let advice = detected.map { "pass \($0.rawValue.quoted), or no content type" } ?? "pass the type that they have"
    throw APIError(
      .invalidArgument, "the content type is \(given.quoted), but the bytes \(found)", advice: advice,
      rpc: MediaRPC.startUpload.descriptor.id)
  }
}
