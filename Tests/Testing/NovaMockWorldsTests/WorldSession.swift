import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaTestSupport

/// Worlds that tests compare the backend with.
enum WorldSession {
  static let sizes = [
    World.Size(users: 1), World.Size(users: 12, followsPerUser: 3, postsPerUser: 0),
    World.Size(users: 80, followsPerUser: 12, postsPerUser: 3, likesPerPost: 9, commentsPerPost: 3),
  ]

  static func make(_ size: World.Size) throws -> (MockCaller, World) {
    let world = try World(seed: Seed(42), size: size)
    return (MockCaller(dataSet: .world(world)), world)
  }
}
