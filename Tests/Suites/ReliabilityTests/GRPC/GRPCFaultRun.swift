#if GRPC
  import NovaCore
  import NovaEvents
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// One call over gRPC against one fault, over real sockets.
  struct GRPCFaultRun {
    let call: FaultCall
    let duration: FaultDuration

    private var run: FaultRun { FaultRun(call: call, duration: duration) }

    /// The messages of a stream that goes well.
    static let events: [[UInt8]] = (1...2).map { number in
      (try? Event(id: "1:\(number)", type: "like.created", actorId: "a", subjectId: "b").protobuf()) ?? []
    }

    /// Makes the call, and afterwards sees that the server did nothing twice, and that other calls through the same
    /// transport are well.
    func outcome(of fault: FrameFault) async throws -> FaultOutcome {
      let transport = Self.transport()
      let server = try server(fault)
      let report = try await run.report(
        server.url, transport, needsWarmUp: fault.moment == .calledAgain, isSlow: fault.name == Fault.slowBytes().name,
        isEndless: fault.isEndless, onRetry: { if duration == .once { try server.beginListening() } })
      if call == .write || call == .keyedWrite {
        #expect(server.duplicates.isEmpty, "\(fault.name), done twice: \(server.duplicates)")
      }
      server.stop()
      try await expectHealth(of: transport)
      await transport.shutdown()
      return FaultOutcome(report)
    }

    /// The same against a server that only shows its certificate.
    func outcome(_ fault: TLSFault, _ nginx: NginxServer) async throws -> FaultOutcome {
      let transport = Self.transport(caFile: nginx.caFile)
      let report = try await run.report("grpcs://localhost:\(nginx.http1Port)", transport)
      await transport.shutdown()
      return FaultOutcome(report)
    }

    /// What a reader of a stream gets: how many events, and how it ends.
    func streamOutcome(of fault: FrameFault) async throws -> String {
      let transport = Self.transport()
      let server = try server(fault)
      defer { server.stop() }
      let client = try run.client(server.url, transport, waitsLong: !fault.isEndless)
      var count = 0, ending = "end"
      do {
        let request = StreamEventsRequest(topics: ["me"], after: "1:0")
        for try await _ in try await client.stream(EventRPC.streamEvents, request) { count += 1 }
      } catch let error as APIError {
        Canary.capture(error)
        ending = "`\(error.code)`"
      }
      // Nothing that looks like success in the middle of a stream is one.
      // A head with the status OK is the whole answer of a stream without messages.
      let isWhole = count == Self.events.count && (fault.isHarmless || duration == .once)
      #expect(ending != "end" || isWhole || fault.name == "trailers-only", "\(fault.name): \(count)")
      await transport.shutdown()
      return "\(count) \(count == 1 ? "event" : "events"), \(ending)"
    }

    private func server(_ fault: FrameFault?) throws -> GRPCFaultServer {
      try GRPCFaultServer(fault, isLasting: duration == .always, recognizesKeys: call.recognizesKeys)
    }

    private static func transport(caFile: String? = nil) -> GRPCTransport {
      let options = CurlTransport.Options(caFile: caFile)
      return GRPCTransport(
        services: HTTP2Transport(options: .init(connections: options)), http: CurlTransport(options: options))
    }

    private func expectHealth(of transport: any HTTPTransport) async throws {
      let server = try GRPCFaultServer()
      defer { server.stop() }
      try await run.expectHealth(of: transport, at: server.url)
    }
  }
#endif
