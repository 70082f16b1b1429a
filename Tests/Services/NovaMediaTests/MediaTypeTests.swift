import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

@Suite struct MediaTypeTests {
  private static func box(_ brands: String...) -> [UInt8] {
    let size = UInt8(16 + 4 * (brands.count - 1))
    return [0, 0, 0, size] + "ftyp".utf8 + brands[0].utf8 + [0, 0, 2, 0] + brands.dropFirst().joined().utf8
  }

  private static let files: [(bytes: [UInt8], type: MediaType?)] = [
    (SampleMedia.jpeg(), .jpeg), ([0xFF, 0xD8, 0xFF], .jpeg), ([0xFF, 0xD8], nil), (SampleMedia.png(), .png),
    (Array(SampleMedia.png().prefix(7)), nil), (Array("GIF87a…".utf8), .gif), (Array("GIF89a".utf8), .gif),
    (Array("GIF88a".utf8), nil), (Array("RIFF1234WEBPVP8 ".utf8), .webp), (Array("RIFF1234WAVE".utf8), nil),
    (SampleMedia.mp4(), .mp4), (box("heic"), .heic), (box("mif1", "heic"), .heic), (box("avif", "mif1"), .heic),
    (box("qt  "), .quickTime), (box("isom", "qt  "), .mp4), (box("M4V ", "mp42"), .mp4), (box("XXXX", "mp42"), .mp4),
    (box("XXXX", "YYYY"), nil), (Array("....ftyp".utf8), nil), ([], nil), (Array("hello".utf8), nil),
    (Array("<svg/>".utf8), nil),
    // Text after the end of the box is not a brand.
    ([0, 0, 0, 16] + Array("ftypXXXX".utf8) + [0, 0, 0, 0] + Array("mp42".utf8), nil),
  ]

  @Test(arguments: files) func aTypeIsDetected(file: (bytes: [UInt8], type: MediaType?)) {
    #expect(MediaType(detectedIn: file.bytes) == file.type, "\(file.bytes.prefix(20))")
    for count in 0...min(file.bytes.count, 40) { _ = MediaType(detectedIn: file.bytes[..<count]) }
  }

  @Test(arguments: 0..<100) func anyBytesHaveATypeOrNone(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    if bytes.count > 8 { bytes.replaceSubrange(4..<8, with: "ftyp".utf8) }
    _ = MediaType(detectedIn: bytes)
  }

  private static let declared: [(given: String?, bytes: [UInt8], result: String?)] = [
    (nil, SampleMedia.png(), "image/png"), ("", SampleMedia.png(), "image/png"),
    (nil, [1, 2, 3], "application/octet-stream"), ("image/png", SampleMedia.png(), "image/png"),
    ("IMAGE/PNG; q=1", SampleMedia.png(), "IMAGE/PNG; q=1"), ("image/jpg", SampleMedia.jpeg(), "image/jpg"),
    ("image/png", SampleMedia.jpeg(), nil), ("image/png", [1, 2, 3], nil), ("video/mp4", SampleMedia.png(), nil),
    ("text/plain", SampleMedia.png(), "text/plain"), ("video/webm", [1], "video/webm"),
    ("video/quicktime", SampleMedia.mp4(), nil), ("image/heif", box("mif1"), "image/heif"),
  ]

  @Test(arguments: declared) func aDeclaredTypeMustMatch(
    file: (given: String?, bytes: [UInt8], result: String?)
  ) async {
    let error = await apiError { try MediaType.contentType(file.given, for: file.bytes) }
    #expect((try? MediaType.contentType(file.given, for: file.bytes)) == file.result, "\(file.given ?? "nil")")
    if file.result == nil { #expect(error?.code == .invalidArgument && error?.message.contains("pass") == true) }
  }
}
