import NovaCore
import NovaRegistry
import NovaTestSupport
import Testing

/// No argument changes the path that the contract defines for an RPC.
@Suite struct PathArgumentTests {
  /// Every RPC with text in its path, and the field that is it.
  private static let bound: [(rpc: RPCDescriptor, field: String)] = RPCRegistry.nova.rpcs.flatMap { rpc in
    PathTemplate(rpc.http.path).variables.compactMap { name in
      rpc.requestType.descriptor.field(named: name)?.kind == .string ? (rpc, name) : nil
    }
  }

  private func target(_ rpc: RPCDescriptor, field: String, text: String) throws -> String {
    let json = JSONValue.object([.init(name: field, value: .string(text))])
    return try HTTPTranscoder.request(try rpc.requestType.init(jsonUTF8: json.jsonUTF8), rpc.http).target
  }

  /// The path as a careless server sees it: decoded twice, `\` taken for `/`, parameters dropped, dots resolved.
  private func resolved(_ target: String) -> [Substring] {
    var path = String(target.prefix { $0 != "?" })
    for _ in 0..<2 { path = PercentEncoding.decode(path) ?? path }
    var segments: [Substring] = []
    for segment in path.split(omittingEmptySubsequences: true, whereSeparator: { $0 == "/" || $0 == "\\" }) {
      switch segment.prefix(while: { $0 != ";" }) {
      case ".": break
      case "..": _ = segments.popLast()
      default: segments.append(segment)
      }
    }
    return segments
  }

  @Test func everyPathIsLookedAt() { #expect(Self.bound.contains { $0.rpc.id == "announcements.GetAnnouncement" }) }

  @Test(arguments: [
    ".", "..", "%2e", "%2E%2e", "%252e%252e", "../x", "a/..", "a/../../b", "..\\x", "a\\.\\b", "..;x=1", "%2e%2e%2fx",
    "..%5cx", "%25252e.", "", "a\u{0}", "..\u{0}", "a\nb", "\u{7F}", "./", "/..", "%zz/%2e%2e/",
    String(repeating: "x", count: 1025),
  ])
  func whatCouldLeaveIsRefused(text: String) async {
    for (rpc, field) in Self.bound {
      let error = await apiError { try target(rpc, field: field, text: text) }
      #expect(error?.code == .invalidArgument, "\(rpc.id) \(text.prefix(40).debugDescription)")
      #expect(error?.message.hasPrefix("\(field) must ") == true && (error?.message.utf8.count ?? 999) < 120)
    }
  }

  @Test(arguments: [
    "...", ".a", "a..b", "a.", "%", "100%", "%2", "a b/ü?#%", "a;b", "~", "-", "a/b", "%2f", "C:\\x", "😀",
    String(repeating: "x", count: 1024),
  ])
  func everythingElseArrives(text: String) throws {
    for (rpc, field) in Self.bound {
      let target = try target(rpc, field: field, text: text)
      #expect(PathTemplate(rpc.http.path).match(target)?[field] == text, "\(rpc.id) \(target.prefix(100))")
    }
  }

  @Test(arguments: 0..<20) func anyTextStaysInItsPlace(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      ".", "..", "/", "\\", "%2e", "%2f", "%5C", "%25", ";", "%", "a", "é", "?", "#", " ", "%00", "&", "=", ":",
    ]
    for (rpc, field) in Self.bound {
      let literal = rpc.http.path.split(separator: "/").prefix { !$0.hasPrefix("{") }
      for _ in 0..<200 {
        let text = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
          .joined()
        guard let target = try? target(rpc, field: field, text: text) else { continue }
        #expect(PathTemplate(rpc.http.path).match(target)?[field] == text, "\(rpc.id) \(text)")
        let segments = resolved(target)
        #expect(segments.starts(with: literal) && segments.count > literal.count - 1, "\(rpc.id) \(text): \(segments)")
      }
    }
  }
}
