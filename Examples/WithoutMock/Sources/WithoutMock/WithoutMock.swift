import NovaSDK

/// A program without the mock backend, and what happens when it is asked for mock data all the same.
@main
enum WithoutMock {
  static func main() async {
    do {
      let overrides = ConfigurationOverrides(usesMockData: true)
      let nova = NovaClient(configuration: try .load(environment: [:], overrides: overrides))
      let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 10)
      print(page.userIds)
    } catch let error as APIError {
      print(error.message)
    } catch {
      print(error)
    }
  }
}
