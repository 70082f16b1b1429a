import NovaCLI
import NovaMock
import NovaServer

await Program.serve { settings in
  let server = try await MockServer(
    host: settings.host, port: settings.port, backend: MockBackend(seed: settings.seed), log: settings.log)
  return RunningServer(url: server.url) { await server.stop() }
}
