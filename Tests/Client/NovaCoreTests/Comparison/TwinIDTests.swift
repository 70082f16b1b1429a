import NovaGraph
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaCore

/// IDs, cursors, and items that differ only in how Unicode writes them are different ones.
@Suite struct TwinIDTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  private struct Item: Hashable, Sendable, Identifiable {
    let id: String
  }

  /// Every RPC whose response names the record that was asked for.
  @Test(arguments: RPCRegistry.nova.rpcs.filter { $0.namedItems != nil })
  func anotherSpellingIsAnotherItem(_ rpc: RPCDescriptor) throws {
    let named = try #require(rpc.namedItems)
    let asked = rpc.requestType.descriptor.fields[named.requestField]
    let place = rpc.responseType.descriptor.fields[named.responseField]
    func answer(_ ids: [String]) throws -> any ProtoMessage {
      let value: JSONValue
      if case .map = place.cardinality {
        let each: JSONValue = place.kind == .bool ? .bool(true) : .object([])
        value = .object(ids.map { .init(name: $0, value: each) })
      } else {
        value = .array(ids.map { .members((named.field, .string($0))) })
      }
      return try rpc.responseType.init(jsonUTF8: JSONValue.members((place.name, value)).jsonUTF8)
    }
    let ids: JSONValue =
      asked.cardinality == .repeated ? .array([.string("x"), .string(Self.composed)]) : .string(Self.composed)
    let request = try rpc.requestType.init(jsonUTF8: JSONValue.members((asked.name, ids)).jsonUTF8)
    #expect(OtherRecord(in: try answer([Self.composed]), to: request, naming: named) == nil)
    #expect(OtherRecord(in: try answer([Self.decomposed]), to: request, naming: named) != nil)
    // A dictionary returns it for the ID that was asked for; of a list, what is not asked for is left out.
    let isMap = if case .map = place.cardinality { true } else { false }
    let mixed = OtherRecord(in: try answer(["x", Self.decomposed]), to: request, naming: named)
    #expect((mixed != nil) == (isMap || named.relation == .owner), "\(rpc.id)")
  }

  @Test func anotherSpellingIsAnotherRecord() async throws {
    func read(_ id: String) async throws -> UserProfile {
      let body = JSONValue.members(("profile", .members(("id", .string(id)))))
      let client = try APIClient.test(RecordingTransport(status: 200, String(decoding: body.jsonUTF8, as: UTF8.self)))
      return try await UserService(client: client).getUserProfile(userId: Self.composed)
    }
    #expect(try await read(Self.composed).id == Self.composed)
    let error = await apiError { try await read(Self.decomposed) }
    #expect(error?.code == .invalidResponse && error?.message.contains("another user") == true, "\(error as Any)")
  }

  @Test(arguments: [1, 2, 3]) func aListHasBoth(_ pageSize: Int) async throws {
    let ids = [Self.composed, "a", Self.decomposed, "b", Self.composed]
    let texts = PagedSequence<String>(pageSize: pageSize) { limit, offset in
      let page = Array(ids.dropFirst(offset).prefix(limit))
      return Page(items: page, totalCount: ids.count, hasMore: offset + page.count < ids.count)
    }
    var read: [String] = []
    for try await id in texts { read.append(id) }
    #expect(read.haveSameBytes(as: Array(ids[..<4])), "\(read)")
    let items = PagedSequence<Item>(pageSize: pageSize) { limit, offset in
      let page = Array(ids.dropFirst(offset).prefix(limit)).map { Item(id: $0) }
      return Page(items: page, totalCount: ids.count, hasMore: offset + page.count < ids.count)
    }
    read = []
    for try await item in items { read.append(item.id) }
    #expect(read.haveSameBytes(as: Array(ids[..<4])), "\(read)")
  }

  @Test func cursorsAreTwo() async throws {
    let pages = [
      "": ([Self.composed], Self.composed), Self.composed.byteKey: ([Self.decomposed], Self.decomposed),
      Self.decomposed.byteKey: (["last"], ""),
    ]
    let list = CursorSequence<Item>(pageSize: 1) { _, cursor in
      guard let (ids, next) = pages[cursor.byteKey] else { throw APIError(.notFound, "no such cursor") }
      return CursorPage(items: ids.map { Item(id: $0) }, nextCursor: next)
    }
    var read: [String] = []
    for try await item in list { read.append(item.id) }
    #expect(read.haveSameBytes(as: [Self.composed, Self.decomposed, "last"]), "\(read)")
  }

  /// A dictionary would have one entry for both.
  @Test func aBatchOfBothIsRefused() async throws {
    let transport = RecordingTransport(status: 200, "{}")
    let client = try APIClient.test(transport)
    let ids = [Self.composed, "a", Self.decomposed]
    let errors = [
      await apiError { _ = try await SocialService(client: client).batchCheckUserLiked(postIds: ids, userId: "u") },
      await apiError { _ = try await SocialService(client: client).batchGetPostStats(postIds: ids) },
      await apiError {
        _ = try await GraphService(client: client).batchCheckFollowing(followerId: "u", followeeIds: ids)
      },
    ]
    for error in errors { #expect(error?.code == .invalidArgument && error?.message.contains("Unicode") == true) }
    #expect(transport.requests.isEmpty)
    // Each alone is answered.
    #expect(
      try await SocialService(client: client).batchCheckUserLiked(postIds: [Self.composed], userId: "u")
        == [Self.composed: false])
  }

  @Test func usersAreTwo() throws {
    let (first, second) = (
      Identity(gateway: "https://a", caller: .user(Self.composed)),
      Identity(gateway: "https://a", caller: .user(Self.decomposed))
    )
    #expect(first != second && first == first && Set([first, second]).count == 2)
    let token = try AccessToken("abc", user: Self.composed)
    #expect(token.belonging(to: Self.decomposed).user.hasSameBytes(as: Self.decomposed))
  }
}
