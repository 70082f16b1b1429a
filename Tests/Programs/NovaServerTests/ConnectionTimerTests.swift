import NIOCore
import NIOEmbedded
import Testing

@testable import NovaServer

/// On an event loop whose time passes only when it is told to.
@Suite struct ConnectionTimerTests {
  private struct Connection {
    let channel: EmbeddedChannel
    let timer: ConnectionTimer

    init() throws {
      let loop = EmbeddedEventLoop()
      let limits = ConnectionLimits(
        request: .seconds(60), idle: .seconds(300), stall: .seconds(60), answer: .seconds(300), period: .seconds(10))
      timer = ConnectionTimer(limits, loop)
      channel = EmbeddedChannel(handler: timer, loop: loop)
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    }

    func sendByte() throws { try channel.writeInbound(ByteBuffer(string: "x")) }

    func isOpen(after time: TimeAmount) -> Bool {
      channel.embeddedEventLoop.advanceTime(by: time)
      return channel.isActive
    }
  }

  @Test func idleConnectionsStayUntilTheirTimeHasPassed() throws {
    let connection = try Connection()
    #expect(connection.isOpen(after: .seconds(299)))
    #expect(!connection.isOpen(after: .seconds(1)))
  }

  @Test func bytesNowAndThenDoNotHoldAConnection() throws {
    let connection = try Connection()
    for _ in 1...5 {
      try connection.sendByte()
      #expect(connection.isOpen(after: .seconds(11)))
    }
    try connection.sendByte()
    #expect(!connection.isOpen(after: .seconds(5)))
  }

  @Test func aSlowResponseIsNoReasonToClose() throws {
    let connection = try Connection()
    try connection.sendByte()
    connection.timer.requestEnded()
    #expect(connection.isOpen(after: .hours(1)))
    connection.timer.answered()
    #expect(connection.isOpen(after: .seconds(299)))
  }

  @Test func anUnreadResponseEndsTheConnection() throws {
    let connection = try Connection()
    try connection.sendByte()
    connection.timer.requestEnded()
    connection.timer.answerBegins()
    #expect(connection.isOpen(after: .seconds(59)))
    connection.timer.pieceTaken()
    #expect(connection.isOpen(after: .seconds(59)))
    #expect(!connection.isOpen(after: .seconds(10)))
  }

  @Test func aResponseThatIsReadTooSlowlyEndsTheConnection() throws {
    let connection = try Connection()
    connection.timer.requestEnded()
    connection.timer.answerBegins()
    for _ in 1...5 {
      #expect(connection.isOpen(after: .seconds(50)))
      connection.timer.pieceTaken()
    }
    #expect(!connection.isOpen(after: .seconds(50)))
  }

  /// A large file takes longer than any other response.
  @Test func aFileTakesAnyTimeWhileItIsRead() throws {
    let connection = try Connection()
    connection.timer.requestEnded()
    connection.timer.answerBegins(isUnlimited: true)
    for _ in 1...100 {
      #expect(connection.isOpen(after: .seconds(50)))
      connection.timer.pieceTaken()
    }
    #expect(!connection.isOpen(after: .seconds(60)))
  }

  @Test func eachRequestStartsAnew() throws {
    let connection = try Connection()
    for _ in 1...10 {
      try connection.sendByte()
      #expect(connection.isOpen(after: .seconds(50)))
      connection.timer.requestEnded()
      connection.timer.answered()
      #expect(connection.isOpen(after: .seconds(200)))
    }
  }
}
