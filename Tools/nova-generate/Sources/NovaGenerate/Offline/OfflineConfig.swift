/// The section `offline` of `gateway.yaml`: what clients store, and which writes may wait. Names are not checked yet.
struct OfflineConfig: Sendable {
  /// The file, for errors.
  var file = ""
  var timeToLive = 300
  var records: [Record] = []
  var parts: [Part] = []
  var relations: [Relation] = []
  var lists: [Collection] = []
  var counts: [Collection] = []
  var reads: [Read] = []
  var neverStored: [Exception] = []
  var writes: [Write] = []
  var neverQueued: [Exception] = []
  var events: [Event] = []

  /// Where an entry stands.
  struct Place: Sendable {
    var file: String
    var text: String

    func error(_ reason: String) -> GenerationError { GenerationError(file: file, place: text, reason: reason) }
  }

  /// A field, and what it is.
  struct NamedField: Sendable {
    var field: String
    var name: FactName
  }

  struct Record: Sendable {
    var place: Place
    var message: String
    var id: String
    var parent: String?
    var listedIn: [FactName]
    var countedBy: [FactName]
    var counts: [NamedField]
  }

  struct Part: Sendable {
    var place: Place
    var message: String
    var whole: String
    /// The part's field, and the record's.
    var fields: [(own: String, whole: String)]
    var counts: [NamedField]
  }

  struct Relation: Sendable {
    var place: Place
    var name: String
    var a: String
    var b: String
    /// The list and count of the b's of one a, and the other way round.
    var ofA: String?
    var ofB: String?
    /// Whether setting or clearing it changes what users may see.
    var visibility: [RelationChange]
  }

  enum RelationChange: String, CaseIterable {
    case set, cleared
  }

  /// A list or a count that no relation makes.
  struct Collection: Sendable {
    var place: Place
    var name: FactName
    /// The record whose id is the first key.
    var subject: String?
  }

  struct Read: Sendable {
    var place: Place
    var rpc: String
    var timeToLive: Int?
    var relations: [NamedField]
    var counts: [NamedField]
    var records: [NamedField]
    var exists: [NamedField]
    var page: NamedField?
    var isWhole: Bool
    var shares: [String]
  }

  struct Write: Sendable {
    var place: Place
    var rpc: String
    var sets: [FactName]
    var clears: [FactName]
    var creates: String?
    var updates: FactName?
    var removes: FactName?
    var with: [(field: String, value: FactValue)]
    var counts: [NamedField]
    var raises: [FactName]
    var expires: [String]
    var opposite: String?
    var about: [FactName]
    var check: String?
    /// The fields that a record found by ``check`` must have in common with the one that the write creates.
    var same: [String]
  }

  /// What an event says about relations and counts.
  struct Event: Sendable {
    var place: Place
    /// The type, such as `like.created`.
    var type: String
    var sets: FactName?
    var clears: FactName?
    var counts: [NamedField]
    /// Lists with a new item at an unknown place, by their first key.
    var doubts: FactName?
    var expires: [String]
  }

  /// An RPC that is never stored or queued.
  struct Exception: Sendable {
    var place: Place
    var rpc: String
    var expires: [String]
  }
}
