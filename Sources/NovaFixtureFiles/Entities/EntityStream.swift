import NovaCore
import NovaFixtures

/// A message that stands in files, and what must hold for it beyond its type.
protocol FixtureRecord: ProtoMessage {
  /// The first rule of the contract that it breaks; nil when it breaks none.
  var brokenRule: String? { get }
}

/// Everything of one kind in a world, in groups: the likes of a post, for example. Made while it is read.
struct EntityStream<Record: FixtureRecord> {
  /// How many groups.
  let groups: (World) -> Int
  /// What tells what is in one. It may remember what it was asked before.
  let reader: (World) -> (Int) -> [Record]

  init(_ groups: @escaping (World) -> Int, reader: @escaping (World) -> (Int) -> [Record]) {
    self.groups = groups
    self.reader = reader
  }

  init(_ groups: @escaping (World) -> Int, _ records: @escaping (World, Int) -> [Record]) {
    self.init(groups) { world in { records(world, $0) } }
  }

  static func perUser(_ records: @escaping (World, Int) -> [Record]) -> Self { Self({ $0.size.users }, records) }

  static func perPost(_ records: @escaping (World, Int) -> [Record]) -> Self { Self({ $0.postCount }, records) }
}

/// Does something with every record of an entity, whatever its type.
protocol EntityVisitor {
  associatedtype Result
  associatedtype Failure: Error
  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(Failure) -> Result
}
