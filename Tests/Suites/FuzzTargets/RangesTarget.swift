@testable import NovaCache
@testable import NovaCore
@testable import NovaHTTP
@testable import NovaMedia
@testable import NovaMock
@testable import NovaSupport

/// Each line is the value of a header about a part, a digest, or a lifetime, as the SDK, the cache, and the mock backend
/// read it. No range leaves its file, and where several of them read a value, they agree.
enum RangesTarget {
  static func check(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = String(decoding: line, as: UTF8.self)
      checkContentRange(text)
      for count in [0, 1, 10, Int(Int32.max)] { checkRange(text, of: count) }
      checkControl(text)
      checkDate(text)
      checkDigest(text)
    }
  }

  private static func checkContentRange(_ text: String) {
    guard let range = ContentRange(text) else { return }
    if let bytes = range.bytes {
      require(!bytes.isEmpty && bytes.lowerBound >= 0, "\(text) has the bytes \(bytes)")
      require(bytes.upperBound <= range.total ?? .max, "\(text) leaves its file")
    } else {
      require(range.total != nil, "\(text) has neither bytes nor a size")
    }
    require(ContentRange(range.text) == range, "\(text) is another range when it has been written")
  }

  private static func checkRange(_ text: String, of count: Int) {
    guard case .part(let part) = RequestedRange(text, of: count) else { return }
    require(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= count, "\(text) is \(part) of \(count)")
  }

  private static func checkControl(_ text: String) {
    let control = CacheControl(["Cache-Control": text])
    for name in ["max-age", "s-maxage", "stale-if-error", "max-stale", "no-cache"] {
      guard control.contains(name) else {
        require(control.seconds(name) == nil, "\(text) has seconds without \(name)")
        continue
      }
      guard let least = control.seconds(name), let most = control.largestSeconds(name) else {
        fatalError("\(text) has no seconds of \(name)")
      }
      require(least >= 0 && least <= most && most <= CacheControl.longest, "\(name) of \(text) is \(least) to \(most)")
    }
    _ = (control.requiresValidation, control.fieldsRequiringValidation)
  }

  private static func checkDate(_ text: String) {
    guard let seconds = HTTPDate.seconds(text) else { return }
    require(HTTPDate.seconds(HTTPDate.text(seconds)) == seconds, "\(text) is another time when it has been written")
    require(CacheDate.seconds(text) == Double(seconds), "\(text) is another time for the cache")
  }

  private static func checkDigest(_ text: String) {
    guard let digest = DigestField.sha256(text) else { return }
    require(
      DigestField.sha256(DigestField.text(digest)) == digest, "\(text) is another digest when it has been written")
  }
}
