#if Server
  import NovaCore
  import NovaWebSocket

  /// What a client sends on a connection for events.
  enum EventRequest: Equatable {
    case subscribe([String], after: String)
    case unsubscribe([String])
    case ping

    /// Why a message is not a request.
    struct Problem: Error, Equatable {
      /// Short enough for a frame that closes a connection, which holds 123 bytes.
      let reason: String
    }

    private static let commands = ["subscribe", "unsubscribe", "ping"]

    /// Reads a message. Unknown members are ignored, so that clients can be newer than the server.
    init(_ message: WebSocketMessage) throws(Problem) {
      guard case .text(let text) = message else { throw Problem(reason: "expected a text frame, got a binary one") }
      guard let json = try? JSONValue(jsonUTF8: Array(text.utf8)), let members = json.memberList else {
        throw Problem(reason: "expected a JSON object with subscribe, unsubscribe, or ping")
      }
      let found = members.map(\.name).filter(Self.commands.contains)
      guard found.count == 1 else {
        throw Problem(reason: "expected a JSON object with exactly one of subscribe, unsubscribe, and ping")
      }
      switch found[0] {
      case "subscribe": self = .subscribe(try Self.topics(json, "subscribe"), after: try Self.position(json))
      case "unsubscribe": self = .unsubscribe(try Self.topics(json, "unsubscribe"))
      default: self = .ping
      }
    }

    private static func topics(_ json: JSONValue, _ name: String) throws(Problem) -> [String] {
      let elements = json[name]?.elements ?? []
      let topics = elements.compactMap(\.stringValue)
      guard json[name]?.elements != nil, topics.count == elements.count else {
        throw Problem(reason: "\(name) must be a list of texts")
      }
      return topics
    }

    /// Where the events begin; empty for now.
    private static func position(_ json: JSONValue) throws(Problem) -> String {
      guard let after = json["after"], after != .null else { return "" }
      guard let text = after.stringValue else {
        throw Problem(reason: "after must be a text: the position of an event")
      }
      return text
    }
  }
#endif
