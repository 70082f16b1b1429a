/// Bytes that begin as files of a media type do, and continue with anything.
public enum SampleMedia {
  private static let jpegStart: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
  private static let pngStart: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let mp4Start: [UInt8] = [0, 0, 0, 24] + "ftypisom".utf8 + [0, 0, 2, 0] + "isommp42".utf8

  /// A JPEG of at least 3 bytes.
  public static func jpeg(count: Int = 1000) -> [UInt8] { bytes(jpegStart, count) }

  /// A PNG of at least 8 bytes.
  public static func png(count: Int = 1000) -> [UInt8] { bytes(pngStart, count) }

  /// An MP4 of at least 24 bytes.
  public static func mp4(count: Int = 1000) -> [UInt8] { bytes(mp4Start, count) }

  private static func bytes(_ start: [UInt8], _ count: Int) -> [UInt8] {
    Array((start + (start.count..<max(start.count, count)).map { UInt8(truncatingIfNeeded: $0 &* 7) }).prefix(count))
  }
}
