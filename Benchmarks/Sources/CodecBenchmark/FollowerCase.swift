import Foundation
import NovaGraph
import SwiftProtobuf

/// A page of ids: one long list of strings.
struct FollowerCase: CodecCase {
  let name: String
  let input: [UInt8]
  private let data: Data
  private let message: GetFollowersResponse

  init(count: Int) throws {
    name = "ids-\(count)"
    message = .sample(count: count)
    input = try message.jsonUTF8()
    data = Data(input)
  }

  func decoders() throws -> [Candidate] {
    let (json, data, plain) = (input, data, JSONDecoder())
    let snakeCase = JSONDecoder()
    snakeCase.keyDecodingStrategy = .convertFromSnakeCase
    require(try GetFollowersResponse(jsonUTF8: json) == message, "NovaSDK")
    require(try plain.decode(GetFollowersResponse.self, from: data) == message, "JSONDecoder with NovaSDK's models")
    require(try plain.decode(KeyedFollowers.self, from: data).userIds == message.userIds, "JSONDecoder with CodingKeys")
    require(
      try snakeCase.decode(PlainFollowers.self, from: data).userIds == message.userIds, "JSONDecoder from snake case")
    require(
      try ProtoJSONDecoder().decode(ProtoFollowers.self, from: data).userIds == message.userIds, "the ProtoJSON decoder"
    )
    require(try ProtobufFollowers(jsonUTF8Data: data).userIds == message.userIds, "SwiftProtobuf")
    return [
      Candidate("nova") { _ = try GetFollowersResponse(jsonUTF8: json) },
      Candidate("protobuf") { _ = try ProtobufFollowers(jsonUTF8Data: data) },
      Candidate("keys") { _ = try plain.decode(KeyedFollowers.self, from: data) },
      Candidate("snake-case") { _ = try snakeCase.decode(PlainFollowers.self, from: data) },
      Candidate("proto-json") { _ = try ProtoJSONDecoder().decode(ProtoFollowers.self, from: data) },
      Candidate("nova-models") { _ = try plain.decode(GetFollowersResponse.self, from: data) },
    ]
  }

  func encoders() throws -> [Candidate] {
    let (message, data, plain) = (message, data, JSONEncoder())
    let snakeCase = JSONEncoder()
    snakeCase.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    let keyed = try decoder.decode(KeyedFollowers.self, from: data)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let unkeyed = try decoder.decode(PlainFollowers.self, from: data)
    let protobuf = try ProtobufFollowers(jsonUTF8Data: data)
    let options = wireOptions
    try requireMessage(plain.encode(keyed), "JSONEncoder with CodingKeys")
    try requireMessage(snakeCase.encode(unkeyed), "JSONEncoder to snake case")
    try requireMessage(plain.encode(message), "JSONEncoder with NovaSDK's models")
    try requireMessage(protobuf.jsonUTF8Data(options: options), "SwiftProtobuf")
    return [
      Candidate("nova") { _ = try message.jsonUTF8() },
      Candidate("protobuf") { let _: Data = try protobuf.jsonUTF8Data(options: options) },
      Candidate("keys") { _ = try plain.encode(keyed) },
      Candidate("snake-case") { _ = try snakeCase.encode(unkeyed) },
      Candidate("nova-models") { _ = try plain.encode(message) },
    ]
  }

  private func requireMessage(_ written: Data, _ candidate: String) throws {
    require(try GetFollowersResponse(jsonUTF8: Array(written)) == message, candidate)
  }
}

extension GetFollowersResponse {
  /// A page of ids.
  static func sample(count: Int) -> GetFollowersResponse {
    GetFollowersResponse(
      userIds: (0..<count).map { "9f8b6c1e-4d2a-4b7e-8c3d-\(100_000_000_000 + $0)" }, totalCount: 3021, hasMore: true)
  }
}
