import NovaSupport
import Testing

/// When keys last changed.
@Suite struct LastChangesTests {
  private var changes = LastChanges<String>(capacity: 2)

  @Test mutating func aKeyChangesAlone() {
    changes.note("a")
    let moment = changes.now
    #expect(!changes.hasChanged("a", since: moment) && changes.hasChanged("a", since: moment - 1))
    changes.note("b")
    #expect(changes.hasChanged("b", since: moment) && !changes.hasChanged("a", since: moment))
    #expect(!changes.hasChanged("c", since: 0))
  }

  @Test mutating func allKeysChangeTogether() {
    changes.note("a")
    let moment = changes.now
    changes.note(nil)
    #expect(["a", "b"].allSatisfy { changes.hasChanged($0, since: moment) } && changes.count == 0)
    #expect(!changes.hasChanged("a", since: changes.now))
  }

  @Test mutating func droppedKeysCountAsChanged() {
    for key in ["a", "b"] { changes.note(key) }
    let moment = changes.now
    changes.note("c")
    #expect(changes.count == 1 && ["a", "b", "d"].allSatisfy { changes.hasChanged($0, since: moment) })
  }
}
