import NovaContract

/// A small contract of `.proto` files, whose text tests change.
struct ProtoVersion {
  var proto = """
    syntax = "proto3";
    package shop.order_service.v1;
    import "google/protobuf/timestamp.proto";

    // Orders.
    service OrderService {
      // Lists orders.
      //
      // Errors: NOT_FOUND when there is no such user,
      // INVALID_ARGUMENT when the limit is wrong.
      rpc ListOrders(ListOrdersRequest) returns (ListOrdersResponse);
      rpc GetOrder(GetOrderRequest) returns (Order);
      rpc Watch(GetOrderRequest) returns (stream Order) {
        option (google.api.http) = { get: "/orders/{id}/events" };
      }
    }
    enum Size { option allow_alias = true; SIZE_UNSPECIFIED = 0; SMALL = 1 [deprecated = true]; LARGE = 2; }
    message Order {
      // Its own id.
      string id = 1;
      int32 total = 2;
      optional string note = 3 [json_name = "remark"];
      repeated Item items = 4;
      google.protobuf.Timestamp created_at = 5;
      Size size = 6;
      string status = 7;
      message Item { string name = 1; map<string, int64> counts = 2; Order order = 3; }
      oneof kind { string gift = 8; bool pickup = 9; }
      reserved 10, 11;
    }
    message ListOrdersRequest { string user_id = 1; int32 limit = 2; string text = 3; }
    message ListOrdersResponse { repeated Order orders = 1; }
    message GetOrderRequest { string id = 1; }
    """

  var gateway = """
    http:
      rules:
        - selector: shop.order_service.v1.OrderService.ListOrders
          post: /orders
          body: "*"
        - selector: shop.order_service.v1.OrderService.GetOrder
          get: /orders/{id}
    nova:
      int64: number
      implicit_rules: true
      unauthenticated:
        - selector: shop.order_service.v1.OrderService.Watch
      page_limits:
        - selector: shop.order_service.v1.OrderService.ListOrders
          default: 20
          maximum: 100
      text_lengths:
        - field: shop.order_service.v1.ListOrdersRequest.text
          minimum: 0
          maximum: 200
      known_values:
        - field: shop.order_service.v1.Order.status
          values: [open, paid]
    """

  var contract: DescribedContract {
    get throws { try DescribedContract(protoFiles: [("order.proto", proto)], gateway: gateway) }
  }

  /// The changes after a replacement in both texts.
  static func changes(_ text: String, to other: String) throws -> [ContractChange] {
    var new = ProtoVersion()
    new.proto = new.proto.replacing(text, with: other)
    new.gateway = new.gateway.replacing(text, with: other)
    return ContractDiff(from: try ProtoVersion().contract, to: try new.contract).changes
  }
}

extension ContractChange {
  /// `breaking renamedField Order.total: total → sum`
  var line: String { "\(grade) \(kind) \(place): \(before ?? "") → \(after ?? "")" }
}
