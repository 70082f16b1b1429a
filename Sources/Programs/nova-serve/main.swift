import NovaCLI
import NovaContract
import NovaCoverage
import NovaMock
import NovaRecording
import NovaServer

#if Server
  // Packages contain one file under both names, because the two programs share most of their code. It is nova unless it was
  // started as nova-serve.
  let name = CommandLine.arguments.first?.split(separator: "/").last ?? "nova-serve"
  if !name.hasPrefix("nova-serve") { await Program.main() }
  DescriptorLimit.raise()
  await Program.serve { settings in
    let backend = settings.backend
    if let path = settings.statePath {
      _ = try StateFile(path, of: backend, warn: settings.warn)
      backend.restartClock()
    }
    // Positions of an earlier process mean nothing here, even if the seed is the same: except in runs that repeat each
    // other, which begin without a state.
    if !settings.isRepeatable || settings.statePath != nil {
      backend.beginEventEpoch(String(UInt64.random(in: .min ... .max), radix: 36))
    }
    if settings.hasAdmin {
      let ways: Set<WayIn> = settings.grpcPort == nil ? [.http, .socket] : [.http, .socket, .grpc]
      backend.recordCoverage(.withDocumentedFailures(ways: ways))
    }
    switch settings.source {
    case .gateway(let url)?: backend.use(GatewayProxy(target: url))
    case .recording(let path, let isStrict)?:
      backend.use(ReplaySource(try Cassette(path: path), isStrict: isStrict))
    case nil: break
    }
    let server = try await MockServer(
      host: settings.host, port: settings.port, grpcPort: settings.grpcPort, backend: backend,
      hasAdmin: settings.hasAdmin, allowedHosts: settings.allowedHosts, allowedOrigins: settings.allowedOrigins,
      log: settings.log, warn: settings.warn)
    return RunningServer(url: server.url, grpcURL: server.grpcURL) { await server.stop() }
  } record: { settings in
    let recorder = try Recorder(
      proxying: settings.path, replacing: settings.replaces, publishes: false, decode: GatewayProxy.decode,
      warn: settings.warn)
    let server: MockServer
    do {
      server = try await MockServer(
        host: "127.0.0.1", port: settings.port, proxy: GatewayProxy(target: settings.target, recorder: recorder),
        allowedHosts: settings.allowedHosts, allowedOrigins: settings.allowedOrigins, log: settings.log,
        warn: settings.warn)
    } catch {
      // If the port is in use, an earlier recording stays, and no empty one remains.
      try? recorder.finish()
      throw error
    }
    do { try recorder.publish() } catch {
      await server.stop()
      throw error
    }
    return RunningRecorder(url: server.url, archive: { try Cassette(path: settings.path).har }) {
      await server.stop()
      try await recorder.finishWhenWritten()
      return (recorder.summary.count, recorder.summary.incompleteCount)
    }
  }
#else
  struct BuiltWithoutServer: Error, CustomStringConvertible {
    var description: String { "this nova-serve was built without its server. Build it with `make release`." }
  }

  await Program.serve({ _ in throw BuiltWithoutServer() }, record: { _ in throw BuiltWithoutServer() })
#endif
