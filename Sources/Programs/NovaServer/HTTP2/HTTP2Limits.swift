#if Server
  import NIOCore
  import NIOHTTP2

  /// The limits of HTTP/2 connections, which a client can exceed only by mistake or on purpose.
  enum HTTP2Limits {
    /// The number of open streams of a connection; more wait at the client.
    static let concurrentStreams = 100
    /// The size of all headers of a request, as HTTP/2 counts it.
    static let headerListSize = 16 << 10
    /// How much a client may send ahead on a connection, and on each stream.
    static let connectionWindow = 1 << 20
    static let streamWindow = 256 << 10

    static var connection: NIOHTTP2Handler.ConnectionConfiguration {
      var configuration = NIOHTTP2Handler.ConnectionConfiguration()
      configuration.initialSettings = [
        HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreams),
        HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSize),
        HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
      ]
      configuration.targetWindowSize = connectionWindow
      // Clients measure the network with pings: those of gRPC's C core send up to ten a second.
      configuration.controlFrameRateLimit.maximumCount = 1000
      // Some clients send empty frames between messages.
      configuration.maximumSequentialEmptyDataFrames = 10
      return configuration
    }

    static var stream: NIOHTTP2Handler.StreamConfiguration {
      var configuration = NIOHTTP2Handler.StreamConfiguration()
      configuration.targetWindowSize = streamWindow
      // A program that is stopped may cancel a thousand calls at once; a flood sends that in a moment, again and again.
      configuration.streamResetFrameRateLimit.maximumCount = 2000
      configuration.streamResetFrameRateLimit.windowLength = .seconds(10)
      configuration.streamErrorRateLimit.maximumCount = 1000
      return configuration
    }

    static func management(_ limits: ConnectionLimits) -> NIOHTTP2ServerConnectionManagementHandler.Configuration {
      .init(
        maxIdleTime: limits.idle, maxAge: nil, maxGraceTime: nil,
        keepalive: .init(pingInterval: limits.idle, ackTimeout: limits.stall))
    }
  }
#endif
