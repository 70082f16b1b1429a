import NovaFleet
import Testing

@Suite struct FleetKeysTests {
  private static let (first, second) = (String(repeating: "a1", count: 32), String(repeating: "b2", count: 32))

  @Test func theNewestKeySealsAndAllOpen() throws {
    let old = try FleetKeys(names: Self.first, sealing: [("1", Self.first)])
    let both = try FleetKeys(names: Self.first, sealing: [("2", Self.second), ("1", Self.first)])
    let new = try FleetKeys(names: Self.first, sealing: [("2", Self.second)])
    let sealed = try old.seal([1, 2, 3], at: "place")
    #expect(try both.open(sealed, at: "place") == [1, 2, 3])
    #expect(throws: FleetKeyError.self) { try new.open(sealed, at: "place") }
    #expect(try new.open(both.seal([], at: "place"), at: "place") == [])
  }

  @Test func whatWasMovedOrChangedIsRefused() throws {
    let keys = try FleetKeys(names: Self.first, sealing: [("1", Self.second)])
    let sealed = try keys.seal([7], at: "session 1")
    #expect(throws: FleetKeyError.self) { try keys.open(sealed, at: "session 2") }
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(throws: FleetKeyError.self) { try keys.open(changed, at: "session 1") }
      #expect(throws: FleetKeyError.self) { try keys.open(Array(sealed[..<place]), at: "session 1") }
    }
  }

  @Test func namesDifferByKeyPurposeAndText() throws {
    let keys = try FleetKeys(names: Self.first, sealing: [("1", Self.first)])
    let others = try FleetKeys(names: Self.second, sealing: [("1", Self.first)])
    let names = [
      try keys.name(of: "ada", for: "session"), try keys.name(of: "ada", for: "token"),
      try keys.name(of: "bob", for: "session"), try others.name(of: "ada", for: "session"),
      try keys.name(of: "a", for: "sessionad"),
    ]
    #expect(Set(names).count == names.count)
    #expect(try keys.name(of: "ada", for: "session") == names[0] && names[0].utf8.count == 64)
  }

  @Test func errorsAndDescriptionsContainNoKey() {
    for key in ["short", String(repeating: "x", count: 64), ""] {
      let error = #expect(throws: FleetKeyError.self) { try FleetKeys(names: Self.first, sealing: [("1", key)]) }
      if let error, !key.isEmpty { #expect(!"\(error)".contains(key)) }
    }
    let keys = try? FleetKeys(names: Self.first, sealing: [("1", Self.second)])
    #expect(keys.map { "\($0)" } == "FleetKeys(1)")
  }
}
