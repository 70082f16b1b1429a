// What the mock backend costs: loading data sets, and single requests against long lists. One part per process, so that
// each part's memory is its own.

import Foundation
import NovaCore
import NovaMock
import NovaMockWorlds

@main
enum MockBenchmark {
  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case "guide": measureRequests(load("guide", .guide), user: "mock-user-id", post: "post-245")
    case "follows":
      let set = MockDataSet.random(users: 100_000, followsPerUser: 50, postsPerUser: 0)
      measureRequests(load("100,000 users, 5,000,000 follows", set), user: "user-1", post: nil)
    case "posts":
      let set = MockDataSet.random(users: 100_000, followsPerUser: 50)
      measureRequests(
        load("the same with 500,000 posts, 5,000,000 likes, 1,000,000 comments", set), user: "user-1", post: "post-1")
    case "million": millions()
    default: try runEach()
    }
  }

  private static func runEach() throws {
    for part in ["guide", "follows", "posts", "million"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [part]
      try process.run()
      process.waitUntilExit()
    }
  }

  private static func load(_ name: String, _ dataSet: MockDataSet) -> MockBackend {
    let before = memory("VmRSS")
    let clock = ContinuousClock()
    let start = clock.now
    let backend = MockBackend(dataSet: dataSet)
    let milliseconds = (clock.now - start) / .milliseconds(1)
    let (now, peak) = (memory("VmRSS") - before, memory("VmHWM") - before)
    print("\n\(name): loaded in \(Int(milliseconds)) ms, \(now) MB more resident, \(peak) MB at the most")
    return backend
  }

  /// A million users follow one and like one post, request by request.
  private static func millions() {
    let backend = MockBackend(dataSet: .empty)
    let clock = ContinuousClock()
    let start = clock.now
    backend.ask("content/post/create", #"{"creator_id":"user-1","content":"x"}"#)
    for number in 2...1_000_001 {
      backend.ask("graph/follow", #"{"follower_id":"user-\#(number)","followee_id":"user-1"}"#)
      backend.ask("social/like", #"{"user_id":"user-\#(number)","post_id":"post-1"}"#)
    }
    let perRequest = (clock.now - start) / .microseconds(1) / 2_000_000
    print("\n1,000,000 followers and likes: \(perRequest.shown) µs a request, \(memory("VmRSS")) MB resident")
    measureRequests(backend, user: "user-1", post: "post-1")
  }

  private static func measureRequests(_ backend: MockBackend, user: String, post: String?) {
    let followers = backend.total("graph/followers", #"{"user_id":"\#(user)"}"#)
    print("  \(user) has \(followers) followers")
    for limit in [50, 1000] {
      for offset in [0, max(0, followers - limit)] {
        let body = #"{"user_id":"\#(user)","limit":\#(limit),"offset":\#(offset)}"#
        backend.measure("\(limit) followers from \(offset)", path: "graph/followers", bodies: [body])
      }
    }
    let somebody = (0..<200).map { #"{"follower_id":"user-\#(2 + $0 * 400)","followee_id":"\#(user)"}"# }
    backend.measure("unfollow", path: "graph/unfollow", bodies: somebody)
    backend.measure("follow", path: "graph/follow", bodies: somebody)
    let others = (1...200).map { #"{"user_id":"user-\#($0 * 400)","limit":20}"# }
    let own = [#"{"user_id":"\#(user)","limit":20}"#]
    backend.measure("20 posts of \(user)'s feed", path: "feed", bodies: own)
    backend.measure("20 posts of others' feeds", path: "feed", bodies: others)
    backend.measure("20 suggestions for \(user)", path: "feed/recommended-creators", bodies: own)
    backend.measure("20 suggestions for others", path: "feed/recommended-creators", bodies: others)
    if let post { measureLikes(backend, post: post) }
  }

  private static func measureLikes(_ backend: MockBackend, post: String) {
    let likes = backend.total("social/likes", #"{"post_id":"\#(post)"}"#)
    print("  \(post) has \(likes) likes")
    for offset in [0, max(0, likes - 100)] {
      let body = #"{"post_id":"\#(post)","limit":100,"offset":\#(offset)}"#
      backend.measure("100 likes from \(offset)", path: "social/likes", bodies: [body])
    }
    let somebody = (0..<200).map { #"{"user_id":"user-\#(2 + $0 * 400)","post_id":"\#(post)"}"# }
    backend.measure("like", path: "social/like", bodies: somebody)
    backend.measure("unlike", path: "social/unlike", bodies: somebody)
  }
}
