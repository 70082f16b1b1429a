import NovaCache
import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

/// Several users with one client and one cache: no byte that only one of them may have reaches another.
@Suite(.hangLimit) struct CallerHistoryTests {
  /// The tokens of the signed-in user.
  private final class Tokens: TokenProvider {
    /// A user's name, or nil.
    let user = Locked<String?>(nil)
    private let count = Locked(0)

    func accessToken() async throws -> AccessToken? { availableToken }
    func currentUser() async throws -> String? { user.withLock { $0 } }
    var availableToken: AccessToken? {
      guard let user = user.withLock({ $0 }) else { return nil }
      // A new token each time: a user is the same with every token.
      let number = count.withLock { count in
        count += 1
        return count
      }
      return try? AccessToken("\(user)-\(number)", user: user)
    }
  }

  /// The server's responses: each body is a number.
  private struct Made {
    let owner: String
    let path: String
    let target: String
    /// The latest `Cache-Control` of the response itself. A confirmation without one does not change it.
    var control: String?
    var isShareable: Bool
    /// Whether the server must be asked before each use.
    var mustAsk: Bool
    /// Whether it must not be used even if the server cannot be reached.
    var mustConfirm: Bool
  }

  private struct World {
    var random: SeededGenerator
    var made: [Made] = []
    /// The numbers that were sent or confirmed, in order; nil for a request that did not reach the server.
    var confirmed: [Int?] = []

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &random)]
    }
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  }

  private final class Server: Sendable {
    let world: Locked<World>

    init(seed: UInt64) { world = Locked(World(random: SeededGenerator(seed: seed))) }

    private static let controls: [String?] = [
      nil, "no-store", "no-cache", "private, max-age=60", "max-age=60", "public, max-age=60", "public",
      "public, max-age=20, stale-while-revalidate=100", "max-age=20, stale-while-revalidate=100",
      "s-maxage=9, max-age=60",
      "must-revalidate, max-age=30", "private, no-store",
    ]

    /// The caller: the token names a user, or identifies itself.
    static func owner(_ request: HTTPRequest) -> String {
      guard let token = request.headers["Authorization"]?.dropFirst(7) else { return "nobody" }
      return token.hasPrefix("eve") ? String(token) : String(token.prefix { $0 != "-" })
    }

    func respond(_ request: HTTPRequest) throws -> HTTPResponse {
      try world.withLock { world in
        let (owner, path) = (Self.owner(request), request.url.path)
        if world.chance(5) {
          world.confirmed.append(nil)
          throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false)
        }
        if world.chance(10) { return HTTPResponse(status: world.pick([403, 404, 503])) }
        let target = world.pick(["https://cdn.example\(path)", "https://cdn.example\(path)?v=2"])
        let hops = (0..<world.pick([0, 0, 1, 1, 2])).map { _ in
          HTTPRedirect(
            status: world.pick([301, 302, 307, 308]),
            headers: world.pick(Self.controls).map { ["Cache-Control": $0] } ?? [:], target: HTTPURL(received: target))
        }
        let control = world.pick(Self.controls)
        let all = hops.map { $0.headers["Cache-Control"] } + [control]
        let isShareable = all.allSatisfy(Self.isShareable)
        let mustConfirm = all.contains { $0?.contains("no-") == true }
        let mustAsk =
          mustConfirm
          || hops.contains {
            [302, 307].contains($0.status) && $0.headers["Cache-Control"]?.contains("max-age") != true
          }
        var response = HTTPResponse(status: 200, headers: control.map { ["Cache-Control": $0] } ?? [:])
        response.redirects = hops
        let place = hops.isEmpty ? path : target
        if let known = request.headers["If-None-Match"].flatMap({ Int($0.filter(\.isNumber)) }),
          known < world.made.count, world.made[known].target == place,
          world.made[known].owner == owner || world.made[known].isShareable, world.chance(60)
        {
          // The server allows it for this very response.
          world.made[known].control = control ?? world.made[known].control
          let kept = hops.map { $0.headers["Cache-Control"] } + [world.made[known].control]
          world.made[known].isShareable = world.made[known].isShareable || kept.allSatisfy(Self.isShareable)
          // Another user may have a copy that was not confirmed now.
          world.made[known].mustAsk = world.made[known].mustAsk && mustAsk
          world.made[known].mustConfirm = world.made[known].mustConfirm && mustConfirm
          world.confirmed.append(known)
          response.status = 304
          return response
        }
        let number = world.made.count
        world.made.append(
          Made(
            owner: owner, path: path, target: place, control: control, isShareable: isShareable, mustAsk: mustAsk,
            mustConfirm: mustConfirm))
        world.confirmed.append(number)
        if world.chance(70) { response.headers["ETag"] = "\"\(number)\"" }
        response.body = .bytes(Array("\(number)".utf8))
        return response
      }
    }

    private static func isShareable(_ control: String?) -> Bool {
      guard let control, !control.contains("private") else { return false }
      return ["public", "s-maxage", "must-revalidate"].contains { control.contains($0) }
    }
  }

  /// A caller of one load.
  private enum Caller: CaseIterable {
    case signedIn, adaByToken, bobByToken, eve, otherEve

    /// The token of the call; nil for the signed-in user's.
    var token: AccessToken? {
      get throws {
        switch self {
        case .signedIn: nil
        case .adaByToken: try AccessToken("ada-x", user: "ada")
        case .bobByToken: try AccessToken("bob-x", user: "bob")
        case .eve: try AccessToken("eve-1")
        case .otherEve: try AccessToken("eve-2")
        }
      }
    }

    func owner(_ signedIn: String?) -> String {
      switch self {
      case .signedIn: signedIn ?? "nobody"
      case .adaByToken: "ada"
      case .bobByToken: "bob"
      case .eve: "eve-1"
      case .otherEve: "eve-2"
      }
    }
  }

  /// One program that uses the cache.
  private struct Program {
    let images: MediaCache
    let client: APIClient
    let cache: HTTPCache

    init(directory: String, server: Server, tokens: Tokens, clock: ManualClock) throws {
      let transport = RecordingTransport { _, request in try server.respond(request) }
      cache = HTTPCache(.init(directory: directory), clock: clock)
      images = MediaCache(client: try .test(transport, tokens: tokens, clock: clock), cache: cache)
      client = try .test(transport, tokens: tokens, middlewares: [CacheMiddleware(cache)], clock: clock)
    }

    /// The number in the body; nil after an error.
    func load(_ path: String, _ caller: Caller, throughMiddleware: Bool) async throws -> Int? {
      let token = try caller.token
      let bytes: [UInt8]?
      if throughMiddleware {
        var options = CallOptions()
        options.token = token
        let body = try? await client.get(path, for: MediaService.downloadBytes.descriptor, options: options).value
        bytes = try await body?.collect(upTo: 100)
      } else {
        let images = token == nil ? images : images.with { $0.token = token }
        bytes = try? await images.image(path).bytes
      }
      return bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func nobodyGetsTheBytesOfAnother(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let (server, tokens, clock) = (Server(seed: seed), Tokens(), ManualClock())
    var random = SeededGenerator(seed: seed &+ 1000)
    var program = try Program(directory: folder.path, server: server, tokens: tokens, clock: clock)
    for step in 0..<150 {
      // A background response counts once the cache has it.
      await program.cache.waitUntilIdle()
      let path = "/\(Int.random(in: 0..<3, using: &random))"
      let signedIn = tokens.user.withLock { $0 }
      func check(_ number: Int?, _ owners: Set<String>, asked: Int? = nil) {
        guard let number else { return }
        let (made, confirmed) = server.world.withLock { ($0.made[number], $0.confirmed) }
        #expect(made.path == path, "seed \(seed), step \(step)")
        #expect(owners.contains(made.owner) || made.isShareable, "seed \(seed), step \(step): \(made) for \(owners)")
        guard let asked, made.mustAsk else { return }
        let since = confirmed[asked...]
        let isUnreachable = !made.mustConfirm && since.contains(nil)
        #expect(since.contains(number) || isUnreachable, "seed \(seed), step \(step): \(made)")
      }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        let caller = Caller.allCases.randomElement(using: &random) ?? .signedIn
        let asked = server.world.withLock { $0.confirmed.count }
        let number = try await program.load(path, caller, throughMiddleware: Bool.random(using: &random))
        check(number, [caller.owner(signedIn)], asked: asked)
      case 10..<13:
        tokens.user.withLock { $0 = ["ada", "bob", nil].randomElement(using: &random) ?? nil }
      case 13..<15:
        // All at once.
        let through = Bool.random(using: &random)
        let numbers = try await withThrowingTaskGroup(of: (Caller, Int?).self) { [program] group in
          for caller in Caller.allCases {
            group.addTask { (caller, try await program.load(path, caller, throughMiddleware: through)) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        for (caller, number) in numbers { check(number, [caller.owner(signedIn)]) }
      case 15:
        // A sign-in or sign-out during a load.
        let next = ["ada", "bob", nil].randomElement(using: &random) ?? nil
        let through = Bool.random(using: &random)
        let load = Task { [program] in try await program.load(path, .signedIn, throughMiddleware: through) }
        tokens.user.withLock { $0 = next }
        check(try await load.value, [signedIn ?? "nobody", next ?? "nobody"])
      case 16:
        let prefetch = program.images.prefetch(["/0", "/1", "/2"])
        if Bool.random(using: &random) { tokens.user.withLock { $0 = nil } }
        await prefetch.finish()
      case 17:
        await program.cache.waitUntilIdle()
        program = try Program(directory: folder.path, server: server, tokens: tokens, clock: clock)
      default: clock.advance(by: .seconds(Int.random(in: 1..<50, using: &random)))
      }
    }
    await program.cache.shutdown()
  }
}
