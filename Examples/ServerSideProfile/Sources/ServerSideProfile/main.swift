import Hummingbird
import NovaSDK
import ProfileServer
import ServiceLifecycle

// APIConfig.json and NOVA_… variables say where the gateway is; with NOVA_MOCK=1 there need not be one.
let nova = try NovaClient()
let server = profileServer(nova, port: Environment().get("PORT", as: Int.self) ?? 8081)
var configuration = ServiceGroupConfiguration(
  services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: server.logger)
// Less than the 30 s after which Kubernetes kills: a client that reads nothing cannot hold the server any longer.
configuration.maximumGracefulShutdownDuration = .seconds(25)
try await ServiceGroup(configuration: configuration).run()
