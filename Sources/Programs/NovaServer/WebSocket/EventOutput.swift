#if Server
  import NovaMock
  import NovaWebSocket

  /// Sends the messages of one connection, with its fault.
  struct EventOutput: Sendable {
    private let socket: WebSocketConnection
    private let fault: StreamFault?
    private var byteCount = 0
    private var isOver = false
    /// When a stalled connection continues. Nil before its first message, and without that fault.
    private(set) var stallEnd: ContinuousClock.Instant?

    init(_ socket: WebSocketConnection, fault: StreamFault?) {
      (self.socket, self.fault) = (socket, fault)
    }

    /// Begins to send a text. Texts are sent as a whole or not at all.
    mutating func send(_ text: String, isEvent: Bool) -> [WebSocketSending] {
      if isOver { return [] }
      byteCount += text.utf8.count
      switch fault {
      case .duplicate where isEvent: return [socket.begin(.text(text)), socket.begin(.text(text))]
      case .stall(let duration) where stallEnd == nil: stallEnd = .now + duration
      case .halfOpen(let limit) where byteCount > limit:
        isOver = true
        socket.goSilent()
        return []
      case .cut(let limit) where byteCount > limit:
        isOver = true
        socket.drop()
        return []
      default: break
      }
      return [socket.begin(.text(text))]
    }
  }
#endif
