// What the mock backend costs: loading data sets, single requests against long lists, and typed calls in mock mode.
//
//   MockBenchmark calls|guide|follows|posts|million
//
// Prints lines of JSON; times are CPU times, apart from those of single requests. One part per process, so that each part's memory is its own.

import Foundation
import NovaCore
import NovaMock
import NovaMockWorlds

@main
enum MockBenchmark {
  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "calls": try await MockCalls.measure()
    case "guide": measureRequests(load(.guide), user: "mock-user-id", post: "post-245")
    case "follows":
      measureRequests(load(.random(users: 100_000, followsPerUser: 50, postsPerUser: 0)), user: "user-1", post: nil)
    case "posts":
      measureRequests(load(.random(users: 100_000, followsPerUser: 50)), user: "user-1", post: "post-1")
    case "million": measureMillion()
    default:
      print("usage: MockBenchmark calls|guide|follows|posts|million")
      exit(2)
    }
  }

  private static func load(_ dataSet: MockDataSet) -> MockBackend {
    let before = memory("VmRSS")
    let start = processorTime()
    let backend = MockBackend(dataSet: dataSet)
    let milliseconds = (processorTime() - start) / 1000
    let (now, peak) = (memory("VmRSS") - before, memory("VmHWM") - before)
    report("load", ["milliseconds": milliseconds, "resident_mb": Double(now), "peak_mb": Double(peak)])
    return backend
  }

  /// A million users follow one and like one post, request by request.
  private static func measureMillion() {
    let backend = MockBackend(dataSet: .empty)
    let start = processorTime()
    backend.ask("content/post/create", #"{"creator_id":"user-1","content":"x"}"#)
    for number in 2...1_000_001 {
      backend.ask("graph/follow", #"{"follower_id":"user-\#(number)","followee_id":"user-1"}"#)
      backend.ask("social/like", #"{"user_id":"user-\#(number)","post_id":"post-1"}"#)
    }
    let perRequest = (processorTime() - start) / 2_000_000
    report("load", ["request_us": perRequest, "resident_mb": Double(memory("VmRSS"))])
    measureRequests(backend, user: "user-1", post: "post-1")
  }

  private static func measureRequests(_ backend: MockBackend, user: String, post: String?) {
    let followers = backend.total("graph/followers", #"{"user_id":"\#(user)"}"#)
    for (limit, name) in [(50, "50"), (1000, "1,000")] {
      for (page, offset) in [("first", 0), ("last", max(0, followers - limit))] {
        let body = #"{"user_id":"\#(user)","limit":\#(limit),"offset":\#(offset)}"#
        backend.measure("\(name) followers, \(page) page", path: "graph/followers", bodies: [body])
      }
    }
    let somebody = (0..<200).map { #"{"follower_id":"user-\#(2 + $0 * 400)","followee_id":"\#(user)"}"# }
    backend.measure("unfollow", path: "graph/unfollow", bodies: somebody)
    backend.measure("follow", path: "graph/follow", bodies: somebody)
    let others = (1...200).map { #"{"user_id":"user-\#($0 * 400)","limit":20}"# }
    let own = [#"{"user_id":"\#(user)","limit":20}"#]
    backend.measure("20 posts of a feed", path: "feed", bodies: user == "mock-user-id" ? own : others)
    backend.measure("20 suggestions", path: "feed/recommended-creators", bodies: user == "mock-user-id" ? own : others)
    if let post { measureLikes(backend, post: post) }
  }

  private static func measureLikes(_ backend: MockBackend, post: String) {
    let likes = backend.total("social/likes", #"{"post_id":"\#(post)"}"#)
    for (page, offset) in [("first", 0), ("last", max(0, likes - 100))] {
      let body = #"{"post_id":"\#(post)","limit":100,"offset":\#(offset)}"#
      backend.measure("100 likes, \(page) page", path: "social/likes", bodies: [body])
    }
    let somebody = (0..<200).map { #"{"user_id":"user-\#(2 + $0 * 400)","post_id":"\#(post)"}"# }
    backend.measure("like", path: "social/like", bodies: somebody)
    backend.measure("unlike", path: "social/unlike", bodies: somebody)
  }
}
