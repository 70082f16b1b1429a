import Logging

/// What kind of value a setting has: how it is read and what would have been right.
enum SettingKind: Sendable, Equatable {
  case flag
  /// Seconds within a range, as numbers; as text also `1500ms` and `30s`.
  case seconds(ClosedRange<Duration>)
  case integer(ClosedRange<Int>)
  case url
  /// The URL of a gateway that speaks HTTP/JSON.
  case gateway
  /// How calls are shared out among servers.
  case balancing
  /// The name of an environment; whether it exists is known only when all layers are.
  case environment
  case logLevel
  /// The path of a file.
  case path
  case token
  /// The style of field names in the JSON of requests.
  case names
  case proxy
  /// Hosts that are reached without the proxy: a list, as text with commas.
  case proxyExceptions
  /// Servers that are connected to in place of others: a list, as text with commas.
  case connectTo
  case unixSocket

  /// How long anything may take: no less than libcurl can measure, no more than the contract allows.
  static let timeout = SettingKind.seconds(.milliseconds(1) ... .seconds(300))

  /// What would be right instead of a value, for messages to people.
  func expectation(insteadOf json: JSONValue) -> String {
    if case .url = self, json.stringValue?.lowercased().hasPrefix("grpc") == true, BaseURL.allowsGRPC {
      return BaseURL.servicesExpectation
    }
    return expectation
  }

  /// What would be right, for messages to people.
  var expectation: String {
    switch self {
    case .flag: "true or false"
    case .seconds(let range):
      "seconds from \(range.lowerBound.secondsText) to \(range.upperBound.secondsText)"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .url: BaseURL.expectation
    case .gateway: BaseURL.gatewayExpectation
    case .balancing: GRPCConfiguration.Balancing.allCases.map(\.rawValue).alternatives
    case .environment: "the name of an environment"
    case .logLevel: Logger.Level.allCases.map(\.rawValue).alternatives
    case .path: "the path of a file"
    case .token: AccessToken.expectation
    case .names: JSONNameStyle.settings.map(\.name).alternatives
    case .proxy: HTTPProxy.expectation
    case .proxyExceptions: "a list of hosts, each \(ProxyException.expectation)"
    case .connectTo: "a list of \(ConnectTo.expectation); this machine can be replaced by itself only"
    case .unixSocket: UnixSocket.expectation
    }
  }

  /// The value; nil if it is invalid. `isText` is for sources that have only text.
  func value(of json: JSONValue, isText: Bool = false) -> SettingValue? {
    switch self {
    case .flag:
      if case .bool(let flag) = json { return .flag(flag) }
      return isText ? json.stringValue.flatMap(Self.flag(_:)).map(SettingValue.flag) : nil
    case .seconds(let range):
      guard let duration = duration(json, isText: isText), range.contains(duration) else { return nil }
      return .duration(duration)
    case .integer(let range):
      let number = isText ? json.stringValue.flatMap { JSONValue.number($0).integerValue } : json.integerValue
      return number.flatMap { range.contains($0) ? .integer($0) : nil }
    case .url: return json.stringValue.flatMap(BaseURL.parse).map(SettingValue.url)
    case .gateway:
      return json.stringValue.flatMap(BaseURL.parse).flatMap { $0.origin.usesGRPC ? nil : .url($0) }
    case .balancing:
      return json.stringValue.flatMap { GRPCConfiguration.Balancing(rawValue: $0) }.map(SettingValue.balancing)
    case .logLevel: return json.stringValue.flatMap(Logger.Level.init(rawValue:)).map(SettingValue.logLevel)
    case .environment: return json.stringValue.map(SettingValue.text)
    case .path:
      guard let text = json.stringValue, !text.isEmpty, !text.utf8.contains(0) else { return nil }
      return .text(text)
    case .token:
      // The only reason to throw is an invalid token, which the caller reports.
      return json.stringValue.flatMap { try? AccessToken($0) }.map(SettingValue.token)
    case .names:
      return JSONNameStyle.settings.first { $0.name == json.stringValue }.map { .names($0.style) }
    case .proxy: return json.stringValue.flatMap { try? HTTPProxy(parsing: $0) }.map(SettingValue.proxy)
    case .proxyExceptions:
      return Self.list(json, isText: isText, of: ProxyException.init).map(SettingValue.proxyExceptions)
    case .connectTo:
      return Self.list(json, isText: isText) { try? ConnectTo(parsing: $0) }.map(SettingValue.connectTo)
    case .unixSocket:
      return json.stringValue.flatMap { UnixSocket.isValid(path: $0) ? .text($0) : nil }
    }
  }

  /// The values of a JSON list, or of a text with commas; nil if one is invalid.
  private static func list<Value>(_ json: JSONValue, isText: Bool, of parse: (String) -> Value?) -> [Value]? {
    var texts: [String] = []
    if isText, let text = json.stringValue {
      texts = text.parts(between: ",", keepsEmpty: false).map { $0.trimmed() }.filter { !$0.isEmpty }
    } else if case .array(let elements) = json {
      for element in elements {
        guard let text = element.stringValue else { return nil }
        texts.append(text)
      }
    } else {
      return nil
    }
    var values: [Value] = []
    for text in texts {
      guard let value = parse(text) else { return nil }
      values.append(value)
    }
    return values
  }

  /// A value that was refused, for messages to people.
  func description(of json: JSONValue) -> String {
    guard case .string(let text) = json else { return json.kindDescription }
    if text.isEmpty { return "empty" }
    switch self {
    case .token: return SecretText.mask
    case .url, .gateway: return BaseURL.masked(text).quoted
    // Anything before an @ can be a password, also without a scheme.
    case .proxy: return text.contains("@") ? SecretText.mask : text.quoted
    default: return text.quoted
    }
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }

  private func duration(_ json: JSONValue, isText: Bool) -> Duration? {
    switch json {
    case .number(let text): return Double(text).flatMap { Self.duration(seconds: $0) }
    case .string(let text) where isText:
      let isMilliseconds = text.hasSuffix("ms")
      let number = String(text.dropLast(isMilliseconds ? 2 : text.hasSuffix("s") ? 1 : 0))
      // `Double` would also take "inf", "nan" and "0x10".
      guard number.consists(of: .number), let value = Double(number) else { return nil }
      return Self.duration(seconds: isMilliseconds ? value / 1000 : value)
    default: return nil
    }
  }

  /// To the nanosecond; nil beyond any sensible time.
  private static func duration(seconds: Double) -> Duration? {
    abs(seconds) < 1_000_000 ? .nanoseconds(Int64((seconds * 1e9).rounded())) : nil
  }
}

/// The value of a setting, read and within its range.
enum SettingValue: Sendable {
  case flag(Bool)
  case duration(Duration)
  case integer(Int)
  case url(HTTPURL)
  case logLevel(Logger.Level)
  case text(String)
  case token(AccessToken)
  case names(JSONNameStyle)
  case proxy(HTTPProxy)
  case proxyExceptions([ProxyException])
  case connectTo([ConnectTo])
  case balancing(GRPCConfiguration.Balancing)

  /// The value as text; secrets are masked.
  var text: String {
    switch self {
    case .flag(let flag): String(flag)
    case .duration(let duration): duration.secondsText
    case .integer(let number): String(number)
    case .url(let url): url.text
    case .logLevel(let level): level.rawValue
    case .text(let text): text
    case .token(let token): token.description
    case .names(let style): style.settingName
    case .proxy(let proxy): proxy.description
    case .proxyExceptions(let hosts): hosts.map(\.description).joined(separator: ",")
    case .connectTo(let servers): servers.map(\.description).joined(separator: ",")
    case .balancing(let balancing): balancing.rawValue
    }
  }
}

extension ASCIISet {
  fileprivate static let number = digits + ASCIISet(".")
}

extension JSONNameStyle {
  /// The styles by their names in configurations.
  static let settings: [(name: String, style: JSONNameStyle)] = [
    ("snake_case", .proto), ("lowerCamelCase", .lowerCamelCase),
  ]

  var settingName: String { Self.settings.first { $0.style == self }?.name ?? "" }
}

extension Duration {
  /// The seconds as a decimal number without superfluous digits: `30`, `1.5`.
  package var secondsText: String {
    let (seconds, attoseconds) = components
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    var fraction = String(attoseconds.magnitude + 1_000_000_000_000_000_000).utf8Bytes
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    // In the place of the 1, which only keeps the zeros before the digits.
    fraction[0] = UInt8(ascii: ".")
    return "\(sign)\(seconds.magnitude)\(fraction.count == 1 ? "" : String(decoding: fraction, as: UTF8.self))"
  }
}
