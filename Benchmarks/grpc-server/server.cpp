// The server of the benchmarks of gRPC: GraphService/GetFollowers on gRPC's own C++ library, over plain HTTP/2 on
// loopback. It is not NovaSDK's, so that no client of the comparison meets its own server.
//
//   grpc-server [PORT]
//
// Prints the port as its only line, and runs until it is terminated. The callback API takes the threads of the library,
// at least two. Every response has as many ids as the request's limit, up to 1,000; 20 are prepared.

#include <grpcpp/grpcpp.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "nova/graph_service/v1/graph_service.grpc.pb.h"

namespace graph = nova::graph_service::v1;

namespace {

constexpr int kPreparedIds = 20;

graph::GetFollowersResponse MakeResponse(int count) {
  graph::GetFollowersResponse response;
  for (int number = 0; number < count; number++) {
    response.add_user_ids("9f8b6c1e-4d2a-4b7e-8c3d-" + std::to_string(100'000'000'000 + number));
  }
  response.set_total_count(3021);
  response.set_has_more(true);
  return response;
}

class GraphService final : public graph::GraphService::CallbackService {
 public:
  grpc::ServerUnaryReactor* GetFollowers(
      grpc::CallbackServerContext* context, const graph::GetFollowersRequest* request,
      graph::GetFollowersResponse* response) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    if (request->limit() < 0 || request->limit() > 1000) {
      reactor->Finish({grpc::StatusCode::INVALID_ARGUMENT, "limit must be 0...1000"});
      return reactor;
    }
    *response = request->limit() == kPreparedIds ? prepared_ : MakeResponse(request->limit());
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  const graph::GetFollowersResponse prepared_ = MakeResponse(kPreparedIds);
};

}  // namespace

int main(int count, char** arguments) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  GraphService service;
  grpc::ServerBuilder builder;
  const std::string address = std::string("127.0.0.1:") + (count > 1 ? arguments[1] : "0");
  int port = 0;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server || port == 0) {
    std::fprintf(stderr, "grpc-server: not started: cannot listen on %s; choose another port\n", address.c_str());
    return 1;
  }
  std::printf("%d\n", port);
  std::fflush(stdout);
  int received = 0;
  sigwait(&signals, &received);
  server->Shutdown(std::chrono::system_clock::now());
  return 0;
}
