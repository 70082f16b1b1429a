"""The Python half of Tools/check-generator: messages.py <phase> <folder> <seed>."""
import base64
import json
import random
import string
import struct
import sys
from pathlib import Path

from google.protobuf import (
    any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, empty_pb2, field_mask_pb2, json_format, message_factory,
    struct_pb2, timestamp_pb2, wrappers_pb2)

PACKAGE = "nova.testing.v1."
MESSAGES_OF_EACH_TYPE = 60
# The types that every pool has: the generated classes of protobuf itself.
KNOWN = (any_pb2, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)


class Contract:
    def __init__(self, path):
        self.pool = descriptor_pool.DescriptorPool()
        files = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes()).file
        for file in files:
            self.pool.Add(file) if hasattr(self.pool, "Add") else self.pool.AddSerializedFile(file.SerializeToString())
        self.names = []
        for file in files:
            if file.package + "." == PACKAGE:
                self.add(PACKAGE, file.message_type)

    def add(self, prefix, messages):
        for message in messages:
            if not message.options.map_entry:
                self.names.append(prefix + message.name)
                self.add(f"{prefix}{message.name}.", message.nested_type)

    def pool_class(self, name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))

    def message(self, name):
        return self.pool_class(name)()

    def read(self, name, text):
        # Python's JSON reads -0 as the integer 0; the sign of a floating-point zero would be lost.
        value = json.loads(text, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))
        return json_format.ParseDict(value, self.message(name), descriptor_pool=self.pool)

    def read_binary(self, name, text):
        return self.pool_class(name).FromString(base64.b64decode(text))

    def write(self, message, number):
        """One of the forms of JSON, by a number."""
        return json_format.MessageToJson(
            message, indent=None, descriptor_pool=self.pool, preserving_proto_field_name=number % 2 == 0,
            always_print_fields_with_no_presence=number % 4 >= 2, use_integers_for_enums=number % 8 >= 4)


class Filler:
    """Fills messages with random values."""

    def __init__(self, contract, seed):
        self.contract = contract
        self.random = random.Random(seed)

    def message(self, name, depth=3):
        message = self.contract.message(name)
        self.fill(message, depth)
        return message

    def fill(self, message, depth):
        oneofs = {oneof.name: self.random.choice(oneof.fields) for oneof in message.DESCRIPTOR.oneofs}
        for field in message.DESCRIPTOR.fields:
            oneof = field.containing_oneof
            if oneof and oneofs[oneof.name] is not field and oneofs[oneof.name].name != field.name:
                continue
            if self.random.random() < (0.8 if len(message.DESCRIPTOR.fields) > 64 else 0.3):
                continue
            if depth > 0 or field.message_type is None:
                self.set(message, field, depth)

    def set(self, message, field, depth):
        is_map = field.message_type and field.message_type.GetOptions().map_entry
        if is_map:
            key, value = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
            for _ in range(self.random.randint(0, 3)):
                target = getattr(message, field.name)
                if value.message_type:
                    self.fill_one(target[self.scalar(key)], depth - 1)
                else:
                    target[self.scalar(key)] = self.scalar(value)
        elif field.is_repeated:
            for _ in range(self.random.randint(0, 3)):
                target = getattr(message, field.name)
                if field.message_type:
                    self.fill_one(target.add(), depth - 1)
                else:
                    target.append(self.scalar(field))
        elif field.message_type:
            getattr(message, field.name).SetInParent()
            self.fill_one(getattr(message, field.name), depth - 1)
        else:
            setattr(message, field.name, self.scalar(field))

    def fill_one(self, message, depth):
        name = message.DESCRIPTOR.full_name
        if name == "google.protobuf.Timestamp":
            message.seconds = self.random.randint(-62135596800, 253402300799)
            message.nanos = self.random.choice((0, 1, 1000, 500_000_000, 999_999_999))
        elif name == "google.protobuf.Duration":
            sign = self.random.choice((-1, 1))
            message.seconds = sign * self.random.choice((0, 1, self.random.randint(0, 315_575_999_999)))
            message.nanos = sign * self.random.choice((0, 1, 1000, 500_000_000, 999_999_999))
        elif name == "google.protobuf.FieldMask":
            message.paths.extend(self.random.sample(["id", "display_name", "a.b_c", "address.postal_code"], 2))
        elif name == "google.protobuf.Any":
            payload = self.random.choice(("Leaf", "Order.Line", "Node", "Wrappers", None))
            if payload:
                message.Pack(self.message(PACKAGE + payload, 1), deterministic=True)
            elif self.random.random() < 0.5:
                duration = self.contract.message("google.protobuf.Duration")
                duration.seconds = 5
                message.Pack(duration)
        elif name in ("google.protobuf.Value", "google.protobuf.Struct", "google.protobuf.ListValue"):
            json_format.ParseDict(self.json(name, depth), message, descriptor_pool=self.contract.pool)
        else:
            self.fill(message, depth)

    def json(self, name, depth):
        if name == "google.protobuf.Struct":
            return {self.text(): self.json("google.protobuf.Value", depth - 1) for _ in range(self.random.randint(0, 3))}
        if name == "google.protobuf.ListValue":
            return [self.json("google.protobuf.Value", depth - 1) for _ in range(self.random.randint(0, 3))]
        if depth > 0 and self.random.random() < 0.4:
            return self.json(f"google.protobuf.{self.random.choice(('Struct', 'ListValue'))}", depth)
        return self.random.choice((None, True, False, 0, -1.5, 1e300, self.random.randint(-2**53, 2**53), self.text()))

    def text(self):
        alphabet = string.printable + "äß漢😀\u2028\x00\x7f\"\\/"
        return "".join(self.random.choice(alphabet) for _ in range(self.random.randint(0, 12)))

    def integer(self, low, high):
        return self.random.choice((0, 1, low, high, self.random.randint(low, high), self.random.randint(0, 9)))

    def scalar(self, field):
        kind = field.type
        if kind in (field.TYPE_INT32, field.TYPE_SINT32, field.TYPE_SFIXED32):
            return self.integer(-2**31, 2**31 - 1)
        if kind in (field.TYPE_UINT32, field.TYPE_FIXED32):
            return self.integer(0, 2**32 - 1)
        if kind in (field.TYPE_INT64, field.TYPE_SINT64, field.TYPE_SFIXED64):
            return self.integer(-2**63, 2**63 - 1)
        if kind in (field.TYPE_UINT64, field.TYPE_FIXED64):
            return self.integer(0, 2**64 - 1)
        if kind == field.TYPE_BOOL:
            return self.random.random() < 0.5
        if kind == field.TYPE_STRING:
            return self.text()
        if kind == field.TYPE_BYTES:
            return self.random.randbytes(self.random.randint(0, 8))
        if kind == field.TYPE_ENUM:
            numbers = [value.number for value in field.enum_type.values]
            return self.random.choice(numbers + ([] if field.enum_type.name == "NullValue" else [77, -3]))
        special = (0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf"))
        size, form = (4, "<f") if kind == field.TYPE_FLOAT else (8, "<d")
        return self.random.choice(special + (struct.unpack(form, self.random.randbytes(size))[0],))


def binary(message):
    return base64.b64encode(message.SerializeToString(deterministic=True)).decode()


def same(contract, left, right):
    # NaN differs from itself, so the bytes are compared, too, and the JSON, because in Any NaN can have other bits.
    return left == right or binary(left) == binary(right) or contract.write(left, 0) == contract.write(right, 0)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def random_messages(contract, seed):
    filler = Filler(contract, seed)
    for name in contract.names:
        for number in range(MESSAGES_OF_EACH_TYPE):
            yield name, number, filler.message(name)


def answer(contract, folder, seed):
    """Reads what Swift wrote, writes it again, and adds messages of its own."""
    failures = 0
    with open(folder / "python-messages.jsonl", "w", encoding="utf-8") as output:
        for index, line in enumerate(lines(folder / "swift-messages.jsonl")):
            try:
                read = contract.read(line["message"], line["json"])
                other = contract.read_binary(line["message"], line["binary"])
                if not same(contract, read, other):
                    raise ValueError(f"its binary form is {contract.write(other, 0)}")
                text = contract.write(read, index)
            except Exception as error:
                failures += 1
                if failures <= 10:
                    print(f"Python cannot read {line['message']} of Swift: {error}\n  {line['json']}")
                continue
            output.write(json.dumps(line | {"json": text, "binary": binary(other)}) + "\n")
        for name, number, message in random_messages(contract, seed):
            text = contract.write(message, number)
            output.write(json.dumps({"message": name, "json": text, "binary": binary(message)}) + "\n")
    return failures


def compare(contract, folder, seed):
    """Compares Swift's version of Python's messages with the messages."""
    failures = 0
    answers = lines(folder / "swift-answers.jsonl")
    messages = list(random_messages(contract, seed))
    if len(answers) != len(messages):
        print(f"Swift answered {len(answers)} messages of {len(messages)}")
        return 1
    for line, (name, number, message) in zip(answers, messages):
        try:
            read = contract.read(name, line["json"])
            other = contract.read_binary(name, line["binary"])
            if same(contract, read, message) and same(contract, other, message):
                continue
            problem = f"Python wrote\n  {contract.write(message, number)}\nand reads Swift's"
        except Exception as error:
            problem = f"Python cannot read it: {error}"
        failures += 1
        if failures <= 10:
            print(f"{name}: {problem}\n  {line['json']}")
    return failures


def main():
    phase, folder, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    contract = Contract(folder / "descriptors.pb")
    failures = {"answer": answer, "compare": compare}[phase](contract, folder, seed)
    if failures:
        sys.exit(f"{failures} differences")


main()
