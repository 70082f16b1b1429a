// Decoding and encoding with the SDK's codec and with Foundation, side by side in one run, results compared first.

import Foundation
import NovaContent
import NovaGraph

@main
enum CodecBenchmark {
  static func main() throws {
    for count in [20, 1000] { try posts(count) }
    try followers(1000)
  }

  private static func posts(_ count: Int) throws {
    let response = GetPostsByAuthorResponse(
      posts: (0..<count).map { index in
        Post(
          id: "post-\(index)", creatorId: "user-\(index % 50)",
          content: "Post number \(index): a walk along the river with \"friends\", and coffee afterwards.",
          createdAt: 1_700_000_000 + Int64(index), updatedAt: 1_700_000_100 + Int64(index),
          title: "Title \(index)", privacy: "public", status: "published",
          mediaIds: index % 3 == 0 ? ["media-\(index)"] : [])
      }, totalCount: 245, hasMore: true)
    let json = try response.jsonUTF8()
    let data = Data(json)
    let decoded = try JSONDecoder().decode(FoundationPosts.self, from: data)
    let own = try GetPostsByAuthorResponse(jsonUTF8: json)
    precondition(own == response, "the SDK decodes something else")
    precondition(zip(decoded.posts, response.posts).allSatisfy { $0.id == $1.id && $0.content == $1.content })
    precondition(decoded.posts.count == count && decoded.totalCount == response.totalCount)
    let results = try medians(
      rounds: count > 100 ? 101 : 1001,
      [
        ("NovaSDK decode", { _ = try GetPostsByAuthorResponse(jsonUTF8: json) }),
        ("Foundation decode", { _ = try JSONDecoder().decode(FoundationPosts.self, from: data) }),
        ("NovaSDK models in JSONDecoder", { _ = try JSONDecoder().decode(GetPostsByAuthorResponse.self, from: data) }),
        ("NovaSDK encode", { _ = try response.jsonUTF8() }),
        ("Foundation encode", { _ = try JSONEncoder().encode(decoded) }),
      ])
    report("\(count) posts, \(json.count) bytes", results)
  }

  private static func followers(_ count: Int) throws {
    let response = GetFollowersResponse(
      userIds: (0..<count).map { "9f8b6c1e-4d2a-4b7e-8c3d-\(100_000_000_000 + $0)" }, totalCount: 3021, hasMore: true)
    let json = try response.jsonUTF8()
    let data = Data(json)
    let decoded = try JSONDecoder().decode(FoundationFollowers.self, from: data)
    precondition(decoded.userIds == response.userIds, "Foundation decodes something else")
    let results = try medians(
      rounds: 301,
      [
        ("NovaSDK decode", { _ = try GetFollowersResponse(jsonUTF8: json) }),
        ("Foundation decode", { _ = try JSONDecoder().decode(FoundationFollowers.self, from: data) }),
        ("NovaSDK encode", { _ = try response.jsonUTF8() }),
        ("Foundation encode", { _ = try JSONEncoder().encode(decoded) }),
      ])
    report("\(count) ids, \(json.count) bytes", results)
  }

  private static func report(_ title: String, _ results: [(String, Double)]) {
    print(title)
    for (name, microseconds) in results {
      print("  \(name.padding(toLength: 32, withPad: " ", startingAt: 0)) \(String(format: "%9.1f µs", microseconds))")
    }
  }
}
