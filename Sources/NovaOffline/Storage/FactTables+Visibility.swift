import NovaSQLite

extension FactTables {
  /// Takes the age from all facts that were stored before a relation changed, so that they are read again, if the change
  /// may change what the user may see: nobody can tell which facts depend on it, such as the likes of a post whose author
  /// is not stored.
  ///
  /// - Parameter sequence: the number of the change. Answers that were requested before it are not stored.
  func doubtVisibility(after name: RelationName, _ isRelated: Bool, sequence: Int64) throws {
    guard OfflineRules.relation(name.kind)?.visibility.contains(isRelated ? .set : .cleared) == true else { return }
    try doubtAll(sequence: sequence)
  }

  private func doubtAll(sequence: Int64) throws {
    try database.statement(
      """
      UPDATE items SET stored_at = 0 WHERE list IN (SELECT number FROM lists WHERE partition = ? AND sequence < ?)
      """
    ).bind(partition, sequence).run()
    for table in ["records", "numbers", "lists", "responses"] {
      try database.statement("UPDATE \(table) SET stored_at = 0, sequence = ? WHERE partition = ? AND sequence < ?")
        .bind(sequence, partition, sequence).run()
    }
  }
}
