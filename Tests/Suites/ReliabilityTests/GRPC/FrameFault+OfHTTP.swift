#if GRPC
  import NovaCore
  @testable import NovaTestSupport
  import NovaTesting

  extension FrameFault {
    /// The counterpart of a fault of HTTP/1.1; nil if gRPC has none.
    static func counterpart(of fault: Fault) -> FrameFault? {
      connectionFault(fault.name) ?? messageFault(fault.name) ?? statusFault(fault)
    }

    private static func connectionFault(_ name: String) -> FrameFault? {
      switch name {
      case "refuse": FrameFault(name, moment: .never, executes: false) { _ in }
      case "reset-on-connect": FrameFault(name, moment: .connected, executes: false) { try $0.reset() }
      case "hang-on-connect": FrameFault(name, moment: .connected, executes: false) { $0.raw.hangWithoutReading() }
      case "hang-before-headers": FrameFault(name) { $0.raw.hang() }
      case "close-before-headers": FrameFault(name) { _ in throw Closed() }
      case "reset-before-headers": FrameFault(name) { try $0.reset() }
      case "reset-mid-body":
        FrameFault(name) { call in
          try call.sendHead()
          try call.send(call.half)
          try call.reset()
        }
      case "hang-mid-body":
        FrameFault(name) { call in
          try call.sendHead()
          try call.send(call.half)
          call.raw.hang()
        }
      case "slow-bytes":
        FrameFault(name) { call in
          // A message with an unknown field of a thousand bytes.
          let message = [0xFA, 0x3F, 0xE8, 0x07] + [UInt8](repeating: 0, count: 1000)
          try call.sendHead()
          for byte in [0, 0, 0, 3, 0xEC] + message {
            try call.send([byte])
            if call.raw.isClosed(within: .milliseconds(100)) { throw Closed() }
          }
          try call.end()
        }
      case "stale-connection": FrameFault(name, moment: .calledAgain, executes: false) { _ in throw Closed() }
      default: nil
      }
    }

    private static func messageFault(_ name: String) -> FrameFault? {
      switch name {
      case "truncated-body":
        FrameFault(name) { call in
          try call.sendHead()
          try call.send(call.half)
          throw Closed()
        }
      case "short-content-length": FrameFault(name) { try $0.answer(head: [("content-length", "2")]) }
      case "garbage-status-line":
        FrameFault(name) { call in
          try call.raw.write("SSH-2.0-Gateway_1.0\r\n\r\n")
          throw Closed()
        }
      case "huge-headers":
        large(name, (1000..<2049).map { ("x-padding-\($0)", String(repeating: "x", count: 1000)) })
      case "long-header-line": large(name, [("x-padding", String(repeating: "x", count: 1 << 20))])
      case "many-headers": large(name, Array(repeating: ("x-padding", "x"), count: 100_000))
      case "html":
        FrameFault(name, executes: false) { call in
          let page = Array("<!DOCTYPE html><html><body>Please log in.</body></html>".utf8)
          try call.connection.send(.fields(call.stream, [("content-type", "text/html; charset=utf-8")]))
          try call.send(page, isLast: true)
        }
      case "broken-gzip":
        FrameFault(name) { try $0.answer($0.body(prefix: [1]), head: [("grpc-encoding", "gzip")]) }
      case "mislabeled-encoding":
        FrameFault(name, isHarmless: true) { try $0.answer(head: [("content-encoding", "UTF-8")]) }
      case "gzip-bomb":
        FrameFault(name) { call in
          let bomb = GzipBomb.bytes(inflatingTo: 1 << 24)
          let count = UInt32(bomb.count)
          let prefix = [1] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
          try call.answer(prefix + bomb, head: [("grpc-encoding", "gzip")])
        }
      case "endless-body":
        FrameFault(name) { call in
          let piece = [UInt8](repeating: 0, count: 16_000)
          try call.sendHead()
          try call.send([0, 0x7F, 0xFF, 0xFF, 0xFF])
          // Ends with a write error when the client disconnects.
          while true { try call.send(piece) }
        }
      default: nil
      }
    }

    private static func large(_ name: String, _ fields: [(String, String)]) -> FrameFault {
      FrameFault(name) { call in
        try call.sendHead(large: fields)
        try call.send(call.body)
        try call.end()
      }
    }

    /// The same failure as a status of gRPC, or as a gateway's answer without one.
    private static func statusFault(_ fault: Fault) -> FrameFault? {
      let name = fault.name
      let retryAfter = [
        "seconds": "2", "zero": "0", "negative": "-5", "garbage": "soon", "huge": "99999999999999999999",
      ]
      if name == "unauthorized" { return status(name, as: .unauthenticated) }
      if name == "grpc-unavailable" { return status(name, as: .unavailable) }
      if name == "grpc-aborted" { return status(name, as: .aborted) }
      if name == "rate-limited" || name == "grpc-resource-exhausted" { return status(name, as: .resourceExhausted) }
      if name.hasPrefix("rate-limited-"), let value = retryAfter[String(name.dropFirst(13))] {
        return status(name, as: .resourceExhausted, [("retry-after", value)])
      }
      if name.hasPrefix("status-"), let number = Int(name.dropFirst(7).prefix(3)) {
        let wait = name.hasSuffix("-retry-after") ? [("retry-after", "2")] : []
        return FrameFault(name, executes: fault.executes) { try $0.fail(wait, status: number, type: "text/plain") }
      }
      if name.hasPrefix("redirect-"), let number = Int(name.suffix(3)) {
        return FrameFault(name, executes: false) { call in
          try call.fail([("location", "https://127.0.0.1:1/")], status: number, type: "text/plain")
        }
      }
      return nil
    }

    private static func status(_ name: String, as status: GRPCStatus, _ fields: [(String, String)] = []) -> FrameFault {
      FrameFault(name, executes: false) { try $0.fail(status, fields) }
    }
  }
#endif
