import NovaCore

/// A gRPC server, and the name of something there: `grpc://localhost:50051/acme.shop.v1.Shop/GetOrder`.
struct ServiceAddress {
  /// The URL of the server.
  let server: String
  /// The name with dots: `acme.shop.v1.Shop.GetOrder`; empty for the server itself.
  let symbol: String

  /// Whether a name is probably a server and an RPC without `grpc://`: `localhost:50051/…` or `http://…`.
  static func isMissingScheme(_ name: String) -> Bool {
    let host = name.prefix { $0 != "/" }
    return name.contains("://") || (host.contains(":") && host.count < name.count)
  }

  /// Nil for what is not a URL of gRPC.
  init?(_ text: String) {
    let scheme = text.prefix(8).lowercased()
    guard scheme.hasPrefix("grpc://") || scheme.hasPrefix("grpcs://"), let mark = text.firstRange(of: "://") else {
      return nil
    }
    let end = text[mark.upperBound...].firstIndex(of: "/") ?? text.endIndex
    server = String(text[..<end])
    symbol = String(text[end...]).parts(between: "/", keepsEmpty: false).joined(separator: ".")
  }
}

extension ConnectionOptions {
  /// The same options, for a server that an argument names.
  ///
  /// - Throws: ``Failure`` for an option that names another one.
  func calling(_ address: ServiceAddress) throws -> ConnectionOptions {
    let other =
      mock
      ? "--mock"
      : context != nil ? "--context" : environment != nil ? "--environment" : baseURL.map { _ in "--base-url" }
    if let other {
      throw Failure("\(other) and the URL of a server cannot be combined: both decide where calls go", .usage)
    }
    var options = self
    options.baseURL = address.server
    return options
  }
}
