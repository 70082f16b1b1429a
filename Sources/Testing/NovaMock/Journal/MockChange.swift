import NovaCapture
import NovaCore
import NovaRegistry

/// A change with everything that determines its effect on a given state. It contains keys derived from passwords
/// instead of passwords, and users instead of access tokens.
struct MockChange: Sendable {
  enum Action: Sendable {
    case rpc(RPCDescriptor, any ProtoMessage)
    /// A chunk with its bytes, as older journals have it.
    case chunk(id: String, HTTPRequest)
    /// A chunk whose bytes are in a file.
    case bytes(id: String, StoredChunk)
    /// The uploaded size becomes the number of stored bytes.
    case recount(id: String)
    case advance(seconds: Int64)
    /// The clock becomes another one.
    case clock(MockClock)
    /// All sessions are closed.
    case signOutAll
    case reset
    case snapshot(name: String)
    case restore(name: String)
  }

  /// The backend's time, in Unix seconds.
  let time: Int64
  let caller: String?
  let idempotencyKey: String?
  let passwordKey: [UInt8]?
  /// When the meaning of a new capture is found.
  let meanings: MockMeanings
  let action: Action

  /// Creates a change at the current time.
  init(_ state: MockState, _ action: Action, idempotencyKey: String? = nil, passwordKey: [UInt8]? = nil) {
    time = state.now
    caller = state.caller
    self.idempotencyKey = idempotencyKey
    self.passwordKey = passwordKey
    meanings = state.meanings
    self.action = action
  }

  /// Whether it changes nothing, and so is not in the journal.
  var isRead: Bool { if case .rpc(let rpc, _) = action { rpc.effect == .noSideEffects } else { false } }

  // MARK: JSON lines

  /// The years 1 to 9999 in Unix seconds, so that sums of times cannot overflow.
  private static let times = -62_135_596_800...253_402_300_799

  func line() throws -> [UInt8] {
    var members: [JSONValue.Member] = [.init(name: "t", value: .number(String(time)))]
    func add(_ name: String, _ text: String?) {
      if let text { members.append(.init(name: name, value: .string(text))) }
    }
    add("caller", caller)
    add("key", idempotencyKey)
    add("password_key", passwordKey.map(Base64.encodeForURL))
    var body: [UInt8]?
    switch action {
    case .rpc(let rpc, let message):
      add("rpc", rpc.id)
      // Nothing else depends on it.
      if rpc.service == CaptureRPC.createSomething.descriptor.service { members += meanings.members }
      body = try message.jsonUTF8(.request)
    case .chunk(let id, let request):
      add("upload", id)
      add("range", request.headers["Content-Range"])
      add("digest", request.headers["Content-Digest"])
      add("bytes", String(decoding: Base64.encode(request.body.inMemory), as: UTF8.self))
    case .bytes(let id, let chunk):
      add("upload", id)
      members += chunk.members
    case .recount(let id): add("recount", id)
    case .advance(let seconds): members.append(.init(name: "advance", value: .number(String(seconds))))
    case .signOutAll: members.append(.init(name: "sign_out_all", value: .bool(true)))
    case .clock(let clock): members.append(.init(name: "clock", value: clock.json))
    case .reset: members.append(.init(name: "reset", value: .bool(true)))
    case .snapshot(let name): add("snapshot", name)
    case .restore(let name): add("restore", name)
    }
    var line = JSONValue.object(members).jsonUTF8
    // Insert the encoded body as is: parsing it first would cost more than everything else here.
    if let body { line = line.dropLast() + Array(#","body":"#.utf8) + body + Array("}".utf8) }
    return line
  }

  init(line: [UInt8]) throws(MockJournalError) {
    let json: JSONValue
    do {
      json = try JSONValue(jsonUTF8: line)
    } catch {
      throw MockJournalError("\(error)")
    }
    guard let time = json["t"]?.integerValue else { throw MockJournalError("missing time") }
    guard Self.times.contains(time) else {
      throw MockJournalError("invalid time \(time); expected the years 1 to 9999")
    }
    self.time = Int64(time)
    caller = json["caller"]?.stringValue
    idempotencyKey = json["key"]?.stringValue
    passwordKey = json["password_key"]?.stringValue.flatMap(Base64.decode)
    meanings = try MockMeanings(json)
    action = try Self.action(json)
  }

  private static func action(_ json: JSONValue) throws(MockJournalError) -> Action {
    if let name = json["rpc"]?.stringValue {
      guard let rpc = RPCRegistry.nova.rpc(named: name) else {
        throw MockJournalError("unknown RPC \(name.printable(to: 80))")
      }
      do {
        return .rpc(rpc, try rpc.requestType.init(jsonUTF8: json["body"]?.jsonUTF8 ?? Array("{}".utf8)))
      } catch {
        throw MockJournalError("\(rpc.id): \(error)")
      }
    }
    if let id = json["upload"]?.stringValue, let bytes = json["bytes"]?.stringValue.flatMap(Base64.decode) {
      var headers: HTTPHeaders = [:]
      headers["Content-Range"] = json["range"]?.stringValue
      headers["Content-Digest"] = json["digest"]?.stringValue
      return .chunk(id: id, HTTPRequest(method: .put, url: "http://localhost", headers: headers, body: bytes))
    }
    if let id = json["upload"]?.stringValue, let chunk = StoredChunk(json) { return .bytes(id: id, chunk) }
    if let id = json["recount"]?.stringValue { return .recount(id: id) }
    if let seconds = json["advance"]?.integerValue {
      guard (0...Int(MockClock.times.upperBound)).contains(seconds) else {
        throw MockJournalError("the clock cannot be set forward by \(seconds) s")
      }
      return .advance(seconds: Int64(seconds))
    }
    if let clock = json["clock"] { return .clock(try MockClock(clock)) }
    if json["sign_out_all"] == .bool(true) { return .signOutAll }
    if json["reset"] == .bool(true) { return .reset }
    if let name = json["snapshot"]?.stringValue { return .snapshot(name: name) }
    if let name = json["restore"]?.stringValue { return .restore(name: name) }
    throw MockJournalError("unknown kind of change")
  }
}

extension MockClock {
  /// What a journal has about it.
  fileprivate var json: JSONValue {
    ["offset": .number(String(offset)), "frozen_at": frozenAt.map { .number(String($0)) }]
  }

  fileprivate init(_ json: JSONValue) throws(MockJournalError) {
    let (offset, frozenAt) = (json["offset"]?.integerValue, json["frozen_at"]?.integerValue)
    guard let offset, (-Self.times.upperBound...Self.times.upperBound).contains(Int64(offset)),
      frozenAt.map({ Self.times.contains(Int64($0)) }) ?? (json["frozen_at"] == nil)
    else { throw MockJournalError("invalid clock; expected one from 1970 to 2999") }
    self.init(offset: Int64(offset), frozenAt: frozenAt.map(Int64.init))
  }
}

extension MockMeanings {
  /// What a journal has about it: nothing, `"meanings": 0` for the creation, or the seconds until they are found.
  fileprivate var members: [JSONValue.Member] {
    let seconds: Int64? =
      switch self {
      case .off: nil
      case .created: 0
      case .later(let seconds): max(1, seconds)
      }
    return seconds.map { [.init(name: "meanings", value: .number(String($0)))] } ?? []
  }

  fileprivate init(_ json: JSONValue) throws(MockJournalError) {
    guard let value = json["meanings"] else {
      self = .off
      return
    }
    guard let seconds = value.integerValue, seconds >= 0 else {
      throw MockJournalError("meanings is not a number of seconds")
    }
    self = seconds == 0 ? .created : .later(seconds: Int64(seconds))
  }
}
