import NovaSQLite

extension FactTables {
  /// Takes the age from all facts that were stored before a write, so that they are read again. For writes that change
  /// what the user may see.
  ///
  /// - Parameter sequence: the number of the write. Answers that were requested before it are not stored.
  func doubtAll(sequence: Int64) throws {
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
