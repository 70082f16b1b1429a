import NovaSDK

/// A program without the mock backend, and what happens when it is asked for mock data all the same.
@main
enum WithoutMock {
  static func main() async {
    var configuration = APIConfiguration.builtIn
    configuration.usesMockData = true
    let nova = NovaClient(configuration: configuration)
    do {
      let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 10)
      print(page.userIds)
    } catch {
      print(error)
    }
  }
}
