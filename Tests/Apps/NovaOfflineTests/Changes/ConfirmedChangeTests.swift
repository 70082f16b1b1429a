import NovaSQLite
import NovaTestSupport
import Testing

@testable import NovaOffline

/// What a confirmed write does to stored facts, one by one.
@Suite struct ConfirmedChangeTests {
  /// A count that was read at 200 moves with a like. It keeps its age only if it surely did not contain the like.
  @Test(arguments: [
    // The relation was read at, the write was sent at, the age that the count has then.
    (relation: 250, sent: 300, age: 200),
    (relation: 200, sent: 200, age: 200),
    // The user may have liked the post between the two reads, so that the count contains it.
    (relation: 100, sent: 300, age: 0),
    (relation: nil, sent: 300, age: 0),
    // The count was read while the write was on its way.
    (relation: 250, sent: 150, age: 0),
  ])
  func movesACountThatMayContainTheWrite(relation: Int?, sent: Int64, age: Int64) throws {
    let folder = try TemporaryFolder()
    let database = try CacheFile.open("\(folder.path)/cache.db").database
    let tables = FactTables(database: database, partition: 1, user: "ada", now: 400)
    let likes = RelationName("likes", from: "ada", to: "post")
    let likers = CountName("likers", ["post"])
    if let relation { try tables.numbers.put(likes, false, storedAt: Int64(relation)) }
    try tables.numbers.put(likers, 7, storedAt: 200)

    let change = ConfirmedChange(
      tables: tables.with(sequence: 1), began: 0, startedAt: sent, newID: "", time: 0)
    try change.relate(likes, true)

    let count = try #require(try tables.numbers.count(likers))
    #expect(count.value == 8)
    #expect(count.storedAt == age)
  }
}
