#if Server
  import NIOCore

  /// The time limits of a connection.
  struct ConnectionLimits: Sendable {
    /// From a request's first byte to its last, so that a slow client cannot occupy a connection forever.
    var request = TimeAmount.seconds(60)
    /// Without a request. Longer than clients keep idle connections (libcurl: 118 s), so that clients close them first.
    var idle = TimeAmount.seconds(300)
    /// Between two pieces of a response that the client receives.
    var stall = TimeAmount.seconds(60)
    /// From the first byte to the last of a chunk, or of a response other than a file: the contract's limit for a
    /// transfer.
    var answer = TimeAmount.seconds(300)
    /// How often the limits are checked.
    var period = TimeAmount.seconds(10)
  }

  /// Closes a connection that exceeds a limit. It comes before the parser, because each byte counts.
  final class ConnectionTimer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
      case idle(since: NIODeadline)
      case receiving(since: NIODeadline)
      case uploading(since: NIODeadline, progress: NIODeadline)
      case answering
      /// Without a beginning, only the progress is limited.
      case sending(since: NIODeadline?, progress: NIODeadline)
      /// A stream without an end: only what waits for the client is limited.
      case streaming(waitingSince: NIODeadline?)
    }

    private let limits: ConnectionLimits
    private let eventLoop: any EventLoop
    private var state: State
    private var ticks: RepeatedTask?

    init(_ limits: ConnectionLimits, _ eventLoop: any EventLoop) {
      self.limits = limits
      self.eventLoop = eventLoop
      state = .idle(since: eventLoop.now)
    }

    /// Bytes of an upload arrive: a slow network can take longer for them than for other requests.
    func uploadBegins() { state = .uploading(since: eventLoop.now, progress: eventLoop.now) }

    /// The server reads no bytes of the upload for a while, which is no fault of the client.
    func uploadPauses(for pause: TimeAmount) {
      if case .uploading(let start, _) = state {
        state = .uploading(since: start + pause, progress: eventLoop.now + pause)
      }
    }

    func requestEnded() { state = .answering }

    /// - Parameter isUnlimited: whether the response can take any time, as long as the client receives it.
    func answerBegins(isUnlimited: Bool = false) {
      state = .sending(since: isUnlimited ? nil : eventLoop.now, progress: eventLoop.now)
    }

    /// The response continues until one side ends it.
    func streamBegins() { state = .streaming(waitingSince: nil) }

    /// Records that a piece of the response is on its way to the client.
    func pieceSent() { if case .streaming = state { state = .streaming(waitingSince: eventLoop.now) } }

    /// Records that the client has received a piece of the response.
    func pieceTaken() {
      switch state {
      case .sending(let start, _): state = .sending(since: start, progress: eventLoop.now)
      case .streaming: state = .streaming(waitingSince: nil)
      case .idle, .receiving, .uploading, .answering: break
      }
    }

    func answered() { state = .idle(since: eventLoop.now) }

    func handlerAdded(context: ChannelHandlerContext) {
      let bound = NIOLoopBound((self, context), eventLoop: eventLoop)
      ticks = eventLoop.scheduleRepeatedTask(initialDelay: limits.period, delay: limits.period) { _ in
        let (timer, context) = bound.value
        if timer.isLate { context.close(promise: nil) }
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { ticks?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch state {
      case .idle: state = .receiving(since: eventLoop.now)
      case .uploading(let start, _): state = .uploading(since: start, progress: eventLoop.now)
      case .receiving, .answering, .sending, .streaming: break
      }
      context.fireChannelRead(data)
    }

    private var isLate: Bool {
      let now = eventLoop.now
      return switch state {
      case .idle(let start): now >= start + limits.idle
      case .receiving(let start): now >= start + limits.request
      case .answering: false
      case .uploading(let start, let progress): now >= start + limits.answer || now >= progress + limits.stall
      case .sending(let start, let progress):
        start.map { now >= $0 + limits.answer } ?? false || now >= progress + limits.stall
      case .streaming(let start): start.map { now >= $0 + limits.stall } ?? false
      }
    }
  }
#endif
