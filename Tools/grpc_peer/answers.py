"""Answers that follow from the request alone, with a value in every field.

Fields that the request has, too, repeat its values, and records have the ids that the request names, because clients
check that. All others are made from a checksum of the request, so that two requests have different answers.
"""
import zlib

from google.protobuf.descriptor import FieldDescriptor as Field

# A failure inside an answer: it is left out.
LEFT_OUT = {"error"}
WORDS = ["plain", "süß", "Привет", "日本語", "😈", "a\"b\\c", "tab\tline\n"]


class Filler:
    """Fills the answer to one request."""

    def __init__(self, request, index=0):
        self.request = request
        self.given = {field.name: value for field, value in request.ListFields()}
        self.seed = zlib.crc32(request.SerializeToString(deterministic=True)) + 7919 * index

    def filled(self, answer):
        self._fill(answer, "", 0)
        return answer

    def _number(self, name, limit):
        return zlib.crc32(f"{self.seed}.{name}".encode()) * 0x9E3779B97F4A7C15 % limit

    def _fill(self, message, path, depth):
        for field in message.DESCRIPTOR.fields:
            if field.name in LEFT_OUT or depth > 4:
                continue
            name = f"{path}{field.name}"
            if field.message_type and field.message_type.GetOptions().map_entry:
                self._fill_map(getattr(message, field.name), field, name, depth)
            elif field.is_repeated:
                self._fill_list(getattr(message, field.name), field, name, depth)
            elif field.type == Field.TYPE_MESSAGE:
                self._fill_message(getattr(message, field.name), field, name, depth)
            else:
                setattr(message, field.name, self._value(field, name, path))

    def _ids(self):
        """The ids that a batch asks for."""
        lists = [value for name, value in self.given.items() if name.endswith("_ids")]
        return [str(id) for id in lists[0]] if lists else []

    def _fill_list(self, values, field, name, depth):
        if field.name in self.given and type(self.given[field.name]) is type(values):
            values.extend(self.given[field.name])
            return
        ids = self._ids()
        for index in range(len(ids) or 2):
            if field.type == Field.TYPE_MESSAGE:
                item = values.add()
                self._fill(item, f"{name}[{index}].", depth + 1)
                if ids and "id" in item.DESCRIPTOR.fields_by_name:
                    item.id = ids[index]
            else:
                values.append(self._value(field, f"{name}[{index}]", name))

    def _fill_map(self, values, field, name, depth):
        key, value = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
        for index, text in enumerate(self._ids() or ["one", "zwei ☺"]):
            if value.type == Field.TYPE_MESSAGE:
                self._fill(values[text], f"{name}[{index}].", depth + 1)
            else:
                values[text] = self._value(value, f"{name}[{index}]", name)
        assert key.type == Field.TYPE_STRING

    def _fill_message(self, message, field, name, depth):
        if field.message_type.full_name == "google.protobuf.Timestamp":
            message.seconds = 1_700_000_000 + self._number(name, 10_000_000)
            message.nanos = self._number(name, 1_000_000) * 1000
        else:
            message.SetInParent()
            self._fill(message, f"{name}.", depth + 1)

    def _given(self, field, path):
        """The value that the request has for a field: for `id` of `post`, that of `post_id`."""
        candidates = [field.name]
        record = path.rstrip(".").split(".")[-1]
        if field.name == "id" and record and not record.endswith("]"):
            candidates.insert(0, f"{record}_id")
        if field.name == "id" and "[" not in path:
            candidates += [f"{field.containing_type.name.lower()}_id"]
            candidates += [name for name in self.given if name == "user_id" and record in ("profile", "user")]
        if field.name == "creator_id":
            candidates += [name for name in ("author_id", "user_id") if name in self.given]
        for name in candidates:
            value = self.given.get(name)
            if value is not None and self.request.DESCRIPTOR.fields_by_name[name].type == field.type and (
                    not self.request.DESCRIPTOR.fields_by_name[name].is_repeated):
                return value
        return None

    def _value(self, field, name, path):
        given = self._given(field, path)
        if given is not None:
            return given
        if field.type == Field.TYPE_STRING:
            return f"{WORDS[self._number(name, len(WORDS))]} {name} {self._number(name, 1000)}"
        if field.type == Field.TYPE_BYTES:
            return bytes(range(256))
        if field.type == Field.TYPE_BOOL:
            return True
        if field.type == Field.TYPE_DOUBLE:
            return self._number(name, 1 << 53) / 3
        if field.type == Field.TYPE_FLOAT:
            return self._number(name, 1 << 20) / 8
        if field.type == Field.TYPE_ENUM:
            numbers = [value.number for value in field.enum_type.values]
            return numbers[self._number(name, len(numbers))]
        if field.name.endswith("_at"):
            return 1_700_000_000 + self._number(name, 10_000_000)
        large = {Field.TYPE_INT64: 1 << 63, Field.TYPE_UINT64: 1 << 64, Field.TYPE_UINT32: 1 << 32}
        return 1 + self._number(name, large.get(field.type, 1 << 31) - 1)


def answer_to(request, response_class, index=0):
    """The answer to a request; `index` is the position in a stream."""
    answer = Filler(request, index).filled(response_class())
    if index and "id" in answer.DESCRIPTOR.fields_by_name:
        answer.id = f"e:{index}"
    return answer


def enlarge(answer, size):
    """Replaces an answer by one of exactly `size` bytes, in its first field of text."""
    answer.Clear()
    field = next(field for field in answer.DESCRIPTOR.fields if field.type == Field.TYPE_STRING)
    for overhead in range(1, 12):
        text = "x" * max(size - overhead, 0)
        answer.Clear()
        if field.is_repeated:
            getattr(answer, field.name).append(text)
        else:
            setattr(answer, field.name, text)
        if answer.ByteSize() <= size:
            return answer
    return answer
