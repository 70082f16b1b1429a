import NovaSDK
import NovaTesting
import Testing

/// The whole program: calls to a gateway that fails once, exported to a collector. Both are real HTTP servers.
@Suite struct Export {
  @Test func spansFormOneTraceWithARetry() async throws {
    let (received, gateway) = try await run()
    let spans = try received.spans
    let root = try #require(spans.first { $0.text("name") == "show profile" })
    #expect(root["parentSpanId"] == nil)
    #expect(root["kind"] == 1)
    #expect(root.attributes["app.followers"] == "3021")
    #expect(Set(spans.map { $0.text("traceId") }).count == 1, "one trace")

    // The first call has two attempts: the gateway refused the first one.
    let call = try #require(spans.first { $0.text("name") == "user.GetUserProfile" && $0["kind"] == 1 })
    #expect(call.text("parentSpanId") == root.text("spanId"))
    #expect(call["status"] == nil)
    let attempts = spans.filter { $0.text("parentSpanId") == call.text("spanId") }
    #expect(attempts.map { $0["kind"] } == [3, 3])
    #expect(attempts.map { $0.attributes["http.response.status_code"] } == ["503", "200"])
    #expect(attempts.map { $0.attributes["http.request.resend_count"] } == [nil, "1"])
    #expect(attempts[0]["status"]?["code"] == 2 && attempts[0].attributes["error.type"] == "503")
    #expect(attempts[0].attributes["server.port"] == "\(gateway.port)")
    #expect(attempts[0].attributes["rpc.method"] == "GetUserProfile")
    for span in spans {
      let (start, end) = try (#require(span.text("startTimeUnixNano")), #require(span.text("endTimeUnixNano")))
      #expect(try #require(UInt64(start)) <= #require(UInt64(end)))
    }
  }

  @Test func theGatewayGetsTheContextOfTheAttempt() async throws {
    let (received, gateway) = try await run()
    let sent = gateway.requests.compactMap { $0.headers["traceparent"] }
    let attempts = try received.spans.filter { $0["kind"] == 3 }
    #expect(sent == attempts.map { "00-\($0.text("traceId") ?? "")-\($0.text("spanId") ?? "")-01" })
    #expect(sent.count == 3)
  }

  @Test func theResourceNamesTheService() async throws {
    let (received, _) = try await run()
    for (path, list) in [("/v1/traces", "resourceSpans"), ("/v1/metrics", "resourceMetrics")] {
      let resource = try received.messages(path).flatMap { $0.items(list) }.compactMap { $0["resource"]?.attributes }
      #expect(!resource.isEmpty)
      for attributes in resource {
        #expect(attributes["service.name"] == "shop")
        #expect(attributes["deployment.environment.name"] == "test lab")
        #expect(attributes["telemetry.sdk.language"] == "swift")
      }
    }
    #expect(received.requests.allSatisfy { $0.headers["Content-Type"] == "application/json" })
    #expect(received.requests.allSatisfy { $0.headers["api-key"] == "k=1" })
    #expect(received.requests.allSatisfy { $0.headers["traceparent"] == nil }, "exports are no part of the trace")
  }

  @Test func metricsHaveUnitsAndTemporality() async throws {
    let metrics = try await run().0.metrics
    let byName = Dictionary(metrics.map { ($0.text("name") ?? "", $0) }) { $1 }
    let calls = try #require(byName["nova_client_calls"])
    #expect(calls.text("unit") == "{call}")
    #expect(calls["sum"]?["aggregationTemporality"] == 2 && calls["sum"]?["isMonotonic"] == true)
    let points = try #require(calls["sum"]).items("dataPoints")
    #expect(points.map { $0.attributes["rpc"] } == ["graph.GetFollowers", "user.GetUserProfile"])
    #expect(points.map { $0.text("asInt") } == ["1", "1"])
    let attempts = try #require(byName["nova_client_attempts"]?["sum"]).items("dataPoints")
    #expect(attempts.contains { $0.attributes == ["rpc": "user.GetUserProfile", "outcome": "503"] })
    #expect(byName["nova_client_calls_in_flight"]?["gauge"] != nil)

    let duration = try #require(byName["nova_client_call_duration"])
    #expect(duration.text("unit") == "s")
    let histogram = try #require(duration["histogram"])
    #expect(histogram["aggregationTemporality"] == 2)
    let request = try #require(byName["http.client.request.duration"])
    #expect(request.text("unit") == "s")
    let failed = try #require(request["histogram"]).items("dataPoints").first { $0.attributes["error.type"] == "503" }
    #expect(failed?.text("count") == "1")
    for point in histogram.items("dataPoints") {
      let counts = point.items("bucketCounts").compactMap { $0.stringValue.flatMap { Int($0) } }
      #expect(counts.count == point.items("explicitBounds").count + 1)
      #expect(point.text("count") == "\(counts.reduce(0, +))")
    }
  }

  @Test func aCollectorThatIsBusyIsAskedAgain() async throws {
    let (received, _) = try await run(collector: [.answer(status: 503, headers: ["Retry-After": "0"])])
    let traces = try received.messages("/v1/traces")
    #expect(traces.count == 2 && traces[0] == traces[1])
  }

  @Test func withoutACollectorTheProgramStillEnds() async throws {
    let gateway = try FaultServer(handler: Self.mock)
    defer { gateway.stop() }
    let program = try await ProgramRun.of(
      "OpenTelemetry",
      environment: [
        "NOVA_BASE_URL": gateway.url, "OTEL_EXPORTER_OTLP_ENDPOINT": ClosedPort().url,
        "OTEL_EXPORTER_OTLP_TIMEOUT": "500",
      ])
    #expect(program.status == 0 && program.output == "bruce_li has 3021 followers\n")
  }

  /// Answers as a gateway does.
  private static let mock: FaultServer.Handler = {
    let backend = MockBackend.seeded(1)
    return { backend.respond(to: $0) }
  }()

  /// Runs the program, and returns what the two servers have received.
  private func run(collector steps: [FaultServer.Step] = []) async throws -> (Received, FaultServer) {
    let collector = try FaultServer(steps)
    // Its first response is a failure that is retried.
    let gateway = try FaultServer(
      [.answer(status: 503, headers: ["Retry-After": "0"])], handler: Self.mock)
    defer {
      collector.stop()
      gateway.stop()
    }
    let program = try await ProgramRun.of(
      "OpenTelemetry",
      environment: [
        "NOVA_BASE_URL": gateway.url, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url + "/",
        "OTEL_SERVICE_NAME": "shop", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test%20lab",
        "OTEL_EXPORTER_OTLP_HEADERS": "api-key=k=1",
      ])
    #expect(program.status == 0 && program.output == "bruce_li has 3021 followers\n")
    return (Received(collector), gateway)
  }
}
