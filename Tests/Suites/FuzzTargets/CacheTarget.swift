@testable import NovaCache
@testable import NovaCore
@testable import NovaCrypto

/// The first byte says whether the rest is a file of the cache, or a head that gets the right digests and a body. Only files
/// whose digests are right are opened; their heads survive a round trip, and any response can be judged.
enum CacheTarget {
  private static let body: [UInt8] = [1, 2, 3]

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    if first % 4 == 0 {
      TemporaryFile.with(rest) { path in if let file = open(path) { check(file, bytes: rest, path) } }
    } else {
      let file = self.file(head: rest)
      TemporaryFile.with(file) { path in
        guard let opened = open(path) else {
          return require(StoredHead(encoded: rest) == nil, "a file with the right digests is refused")
        }
        require(
          opened.bodyCount == body.count && opened.readBody() == body && opened.verify(), "the body is another one")
        check(opened, bytes: file, path)
      }
    }
  }

  private static func check(_ file: DiskFile, bytes: [UInt8], _ path: String) {
    require(StoredHead(encoded: file.head.encoded) == file.head, "the head is another one when it has been written")
    judge(file.head)
    for place in [0, 8, 12, 20, 52, 84, bytes.count - file.bodyCount - 1] where place < bytes.count {
      var damaged = bytes
      damaged[place] ^= 1
      TemporaryFile.write(damaged)
      let opened = open(path)
      // The digest of the body is checked with the body.
      require(opened == nil || opened?.readBody() == nil, "a file whose byte \(place) was changed is read")
    }
  }

  /// Decides about the response in every way.
  private static func judge(_ head: StoredHead) {
    let freshness = Freshness(head, at: 1_764_583_200)
    require(freshness.age >= 0 && freshness.lifetime >= 0, "it is \(freshness.age) of \(freshness.lifetime) s old")
    require(Int(freshness.ageField).map { $0 >= 0 } == true, "Age is \(freshness.ageField)")
    var headers = HTTPHeaders()
    CacheStatus.hit(freshness).add(to: &headers)
    let request: HTTPHeaders = ["Cache-Control": "max-age=1, min-fresh=1, max-stale=1", "Range": "bytes=0-1"]
    let rule = ReuseRule(request, head, at: 1_764_583_200)
    _ = (rule.decision, rule.replaces(.disconnection), VaryRule.matches(head.selection, request))
    let confirmed = head.confirmed(by: head)
    require(StoredHead(encoded: confirmed.encoded) == confirmed, "the confirmed head is another one when it is written")
  }

  private static func open(_ path: String) -> DiskFile? { try? DiskFile(path) }

  private static func file(head: [UInt8]) -> [UInt8] {
    mustSucceed("no digest") {
      var preamble = DiskFile.mark
      preamble.append(number: UInt32(head.count))
      preamble.append(number: UInt64(body.count))
      preamble += try SHA256.digest(of: body)
      preamble += try SHA256.digest(of: preamble + head)
      return preamble + head + body
    }
  }
}
