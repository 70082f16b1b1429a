import NovaAuth
import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaRegistry
import NovaSocial
import Testing

@Suite struct RequestRulesTests {
  private func problem(_ message: some ProtoMessage) -> String? {
    RequestRules.violation(in: message).map { "\($0.field.name) \($0.problem)" }
  }

  private func comment(_ content: String) -> CreateCommentRequest {
    CreateCommentRequest(postId: "p", userId: "u", content: content)
  }

  @Test func idsMustNotBeEmptyButParentsMay() {
    #expect(problem(comment("x")) == nil)
    #expect(problem(CreateCommentRequest(postId: "p", content: "x")) == "user_id must not be empty")
    #expect(problem(GetFollowersRequest()) == "user_id must not be empty")
  }

  @Test func aFieldCanBeLookedAtAlone() {
    #expect(RequestRules.problem(with: "user_id", of: CreateCommentRequest()) == "must not be empty")
    #expect(
      RequestRules.problem(with: "content", of: CreateCommentRequest()) == "must have 1 to 2000 characters, but has 0")
    #expect(RequestRules.problem(with: "content", of: CreateCommentRequest(content: "x")) == nil)
    #expect(RequestRules.problem(with: "post_ids", of: CreateCommentRequest()) == nil)
  }

  @Test func numbersOfListsMustNotBeNegative() {
    #expect(problem(GetFollowersRequest(userId: "u", limit: -1)) == "limit must not be negative, but is -1")
    #expect(problem(GetFollowersRequest(userId: "u", offset: -7)) == "offset must not be negative, but is -7")
  }

  /// Whatever their size, and with a sign or without.
  @Test func numbersHaveARange() {
    #expect(problem(Sizes()) == nil && problem(Sizes(large: 9, unsigned: 9)) == nil)
    #expect(problem(Sizes(large: 10)) == "large must be 1…9, got 10")
    #expect(problem(Sizes(large: .min)) == "large must be 1…9, got -9223372036854775808")
    #expect(problem(Sizes(unsigned: 0)) == "unsigned must be 1…9, got 0")
    #expect(problem(Sizes(unsigned: .max)) == "unsigned must be 1…9, got 18446744073709551615")
    #expect(RequestRules.violation(in: Sizes(large: 0, unsigned: 0), optional: { _ in true }) == nil, "absent")
  }

  @Test func textsHaveTheContractsLength() {
    #expect(problem(comment("")) == "content must have 1 to 2000 characters, but has 0")
    #expect(problem(comment(String(repeating: "x", count: 2000))) == nil)
    #expect(
      problem(comment(String(repeating: "x", count: 2001))) == "content must have 1 to 2000 characters, but has 2001")
    // People count a family as one character, though it is 25 bytes.
    #expect(problem(comment(String(repeating: "👨‍👩‍👧‍👦", count: 2000))) == nil)
    #expect(problem(UpdatePostRequest(postId: "p")) == nil, "absent is no empty text")
    #expect(
      problem(UpdatePostRequest(postId: "p", content: "")) == "content must have 1 to 10000 characters, but has 0")
    #expect(
      problem(RegisterRequest(email: "e", username: "ab", password: "12345678"))
        == "username must have 3 to 32 characters, but has 2")
    #expect(
      problem(RegisterRequest(email: "e", username: "abc", password: "1234567"))
        == "password must have at least 8 characters, but has 7")
  }

  @Test func batchesAreBounded() {
    let ids = (0..<101).map(String.init)
    #expect(
      problem(BatchCheckFollowingRequest(followerId: "a", followeeIds: ids))
        == "followee_ids must have at most 100 values, but has 101")
    #expect(problem(BatchGetPostStatsRequest(postIds: Array(ids.dropLast()))) == nil)
    #expect(problem(BatchGetPostStatsRequest()) == nil, "a batch may be empty")
    #expect(problem(ListEventsRequest()) == "topics must have 1 to 100 values, but has 0")
    #expect(problem(StreamEventsRequest(topics: ids)) == "topics must have 1 to 100 values, but has 101")
  }

  @Test func textsHaveASizeInBytes() {
    let long = String(repeating: "x", count: 1025)
    #expect(problem(GetFollowersRequest(userId: long)) == "user_id must have at most 1024 bytes, but has 1025")
    #expect(problem(GetFollowersRequest(userId: String(long.dropLast()))) == nil)
    #expect(
      problem(BatchGetPostStatsRequest(postIds: ["a", long]))
        == "post_ids has a value that must have at most 1024 bytes, but has 1025")
    let huge = String(repeating: "x", count: 8 << 20)
    #expect(problem(GetFollowersRequest(userId: huge)) == "user_id must have at most 1024 bytes, but has 8388608")
    #expect(problem(comment(huge)) == "content must have at most 1048576 bytes, but has 8388608")
    #expect(
      problem(LoginRequest(email: "e", password: huge)) == "password must have at most 1048576 bytes, but has 8388608")
  }

  /// What the contract allows is far below: the longest text, of the longest characters that people write.
  @Test func noTextOfTheContractIsTooLong() {
    let family = String(repeating: "👨‍👩‍👧‍👦", count: 10_000)
    #expect(problem(CreatePostRequest(creatorId: "u", content: family)) == nil)
    for rpc in RPCRegistry.nova.rpcs {
      for field in rpc.requestType.descriptor.fields {
        guard case .length(_, let maximum?) = field.rule else { continue }
        #expect(100 * maximum <= ArgumentLimits.bytes(of: field), "\(rpc.id) \(field.name)")
      }
    }
  }

  @Test func onlyRequestsHaveRules() {
    let requests = Set(RPCRegistry.nova.rpcs.map { $0.requestType.descriptor.name })
    for message in RPCRegistry.nova.messages where !requests.contains(message.descriptor.name) {
      #expect(message.descriptor.fields.allSatisfy { $0.rule == nil }, "\(message.descriptor.name)")
    }
  }
}

/// A message of a service that is not in the contract.
private struct Sizes: ProtoMessage {
  var large: Int64 = 1
  var unsigned: UInt64 = 1

  static let descriptor = MessageDescriptor(
    "test.Sizes",
    fields: [
      FieldDescriptor("large", number: 1, kind: .int64, rule: .range(minimum: 1, maximum: 9)),
      FieldDescriptor("unsigned", number: 2, kind: .uint64, rule: .range(minimum: 1, maximum: 9)),
    ])

  mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    if index == 0 { try source.read(&large, as: .int64) } else { try source.read(&unsigned, as: .uint64) }
  }

  func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(large, as: .int64, at: 0)
    try sink.write(unsigned, as: .uint64, at: 1)
  }
}
