"""gRPC peers for tests: see Tools/grpc-peer."""
