import NovaSDK

let nova = NovaClient.mock()  // or: try NovaClient(), which reads APIConfig.json and NOVA_… variables

let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 3)
print("\(page.totalCount) followers, the newest are \(page.userIds.joined(separator: ", "))")

do {
  try await nova.graph.followUser(followerId: "me", followeeId: "mock-user-id")
  try await nova.graph.followUser(followerId: "me", followeeId: "me")
} catch APIError.invalidArgument {
  print("Nobody follows themselves.")
}

for try await id in nova.graph.followers(of: "mock-user-id", maximumCount: 2) { print(id) }
