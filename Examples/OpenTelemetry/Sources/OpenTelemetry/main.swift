import NovaSDK
import OTLP
import Tracing

// OTEL_… variables set the collector, APIConfig.json and NOVA_… variables the gateway; NOVA_MOCK=1 needs none.
let telemetry = try Telemetry(serviceName: "nova-example")
telemetry.bootstrap()

let nova = NovaClient(configuration: try .load()) {
  // Also measures every request by OpenTelemetry's conventions for HTTP clients.
  $0.middlewares = [HTTPClientMetrics(omitsAbsentAttributes: true)]
}
let user = CommandLine.arguments.dropFirst().first ?? "mock-user-id"

// The span of the program's own work: the SDK's spans become its children.
do {
  try await withSpan("show profile") { span in
    let profile = try await nova.users.getUserProfile(userId: user)
    let followers = try await nova.graph.getFollowers(userId: user, limit: 3)
    span.attributes["app.followers"] = followers.totalCount
    print("\(profile.username) has \(followers.totalCount) followers")
  }
} catch {
  // What failed belongs in the trace too, so the program goes on to its end.
  print("failed: \(error)")
}
// In this order: a call that ends during the shutdown of the client is still exported.
await nova.shutdown()
await telemetry.shutdown()
