/// The fields of the records in fixtures.
public enum FixtureSchema {
  /// Returns the messages of entities and of their files, as a `.proto` file: what `fixtures.proto` in a set has.
  ///
  /// - Parameter entities: the entities. Default: all.
  public static func proto(of entities: [FixtureEntity] = FixtureEntity.allCases) -> String {
    SchemaText(entities: entities).text
  }
}
