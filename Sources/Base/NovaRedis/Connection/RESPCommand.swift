/// Commands in the form that servers read.
enum RESPCommand {
  /// An array of strings.
  static func encode(_ command: [RedisArgument]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(command.reduce(16) { $0 + $1.bytes.count + 16 })
    bytes += "*\(command.count)\r\n".utf8
    for argument in command {
      bytes += "$\(argument.bytes.count)\r\n".utf8
      bytes += argument.bytes
      bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
    return bytes
  }
}
