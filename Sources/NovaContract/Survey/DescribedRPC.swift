import NovaCore

/// An RPC of any types.
protocol DescribedRPC {
  var descriptor: RPCDescriptor { get }
}

extension RPC: DescribedRPC {}
