import Foundation
import NovaContent
import SwiftProtobuf

/// A page of posts: many fields, short strings, numbers.
struct PostCase: CodecCase {
  let name: String
  let input: [UInt8]
  private let data: Data
  private let message: GetPostsByAuthorResponse

  /// - Parameter escapes: whether each post's text has quotes, which are escaped in JSON.
  init(count: Int, escapes: Bool = true) throws {
    name = escapes ? "posts-\(count)" : "posts-\(count)-plain"
    message = .sample(count: count, escapes: escapes)
    input = try message.jsonUTF8()
    data = Data(input)
  }

  func decoders() throws -> [Candidate] {
    let (json, data, plain) = (input, data, JSONDecoder())
    let snakeCase = JSONDecoder()
    snakeCase.keyDecodingStrategy = .convertFromSnakeCase
    require(try GetPostsByAuthorResponse(jsonUTF8: json) == message, "NovaSDK")
    require(try plain.decode(GetPostsByAuthorResponse.self, from: data) == message, "JSONDecoder with NovaSDK's models")
    require(try isMessage(plain.decode(KeyedPosts.self, from: data).posts), "JSONDecoder with CodingKeys")
    require(try isMessage(snakeCase.decode(PlainPosts.self, from: data).posts), "JSONDecoder from snake case")
    require(try isMessage(ProtoJSONDecoder().decode(ProtoPosts.self, from: data).posts), "the ProtoJSON decoder")
    require(try isMessage(ProtobufPosts(jsonUTF8Data: data).posts), "SwiftProtobuf")
    return [
      Candidate("nova") { _ = try GetPostsByAuthorResponse(jsonUTF8: json) },
      Candidate("protobuf") { _ = try ProtobufPosts(jsonUTF8Data: data) },
      Candidate("keys") { _ = try plain.decode(KeyedPosts.self, from: data) },
      Candidate("snake-case") { _ = try snakeCase.decode(PlainPosts.self, from: data) },
      Candidate("proto-json") { _ = try ProtoJSONDecoder().decode(ProtoPosts.self, from: data) },
      Candidate("nova-models") { _ = try plain.decode(GetPostsByAuthorResponse.self, from: data) },
    ]
  }

  func encoders() throws -> [Candidate] {
    let (message, data, plain) = (message, data, JSONEncoder())
    let snakeCase = JSONEncoder()
    snakeCase.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    let keyed = try decoder.decode(KeyedPosts.self, from: data)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let unkeyed = try decoder.decode(PlainPosts.self, from: data)
    let protobuf = try ProtobufPosts(jsonUTF8Data: data)
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

  private func isMessage(_ posts: [some ReadPost]) -> Bool {
    posts.map(\.asPost) == message.posts
  }

  private func requireMessage(_ written: Data, _ candidate: String) throws {
    require(try GetPostsByAuthorResponse(jsonUTF8: Array(written)) == message, candidate)
  }
}

extension GetPostsByAuthorResponse {
  /// A page of posts.
  static func sample(count: Int, escapes: Bool = true) -> GetPostsByAuthorResponse {
    let friends = escapes ? #""friends""# : "'friends'"
    return GetPostsByAuthorResponse(
      posts: (0..<count).map { index in
        Post(
          id: "post-\(index)", creatorId: "user-\(index % 50)",
          content: "Post number \(index): a walk along the river with \(friends), and coffee afterwards.",
          createdAt: 1_700_000_000 + Int64(index), updatedAt: 1_700_000_100 + Int64(index),
          title: "Title \(index)", privacy: "public", status: "published",
          mediaIds: index % 3 == 0 ? ["media-\(index)"] : [])
      }, totalCount: 245, hasMore: true)
  }
}

/// SwiftProtobuf's options for the JSON of the wire: the fields' own names, and 64-bit integers as numbers.
var wireOptions: JSONEncodingOptions {
  var options = JSONEncodingOptions()
  options.preserveProtoFieldNames = true
  options.alwaysPrintInt64sAsNumbers = true
  return options
}
