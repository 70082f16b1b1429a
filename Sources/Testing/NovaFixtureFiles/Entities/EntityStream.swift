import NovaCore
import NovaFixtures

/// A message in fixture files, with rules beyond its type.
protocol FixtureRecord: ProtoMessage {
  /// Checks the record against the contract's rules.
  func check(_ rules: inout Rules)
}

/// All values of one kind in a world, in groups (for example the likes of a post), computed while reading.
struct EntityStream<Record: FixtureRecord> {
  /// Returns the number of groups.
  let groups: (World) -> Int
  /// Returns a reader that maps a group's index to its records. The reader can cache values.
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

/// A generic operation on all records of an entity.
protocol EntityVisitor {
  associatedtype Result
  associatedtype Failure: Error
  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(Failure) -> Result
}
