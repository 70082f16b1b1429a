"""Writes Tests/Base/NovaDynamicTests/Generated/DynamicSamples.swift: what Google's protobuf reads and writes.

    python Tools/generator-check/dynamic_samples.py

Needs grpcio-tools 1.85, whose protoc compiles editions, and its protobuf. The cases are below; the messages are those of
Tests/Base/NovaDynamicTests/Proto.
"""
import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

HOME = Path(__file__).resolve().parent.parent.parent / "Tests/Base/NovaDynamicTests"
# For each message: JSON that is valid or not, as Google's protobuf decides.
TEXTS = {
    "odd.three.Numbers": [
        '{}', '{"double":1.5,"float":0.1,"int32":-1,"int64":"-9223372036854775808","uint32":4294967295}',
        '{"uint64":"18446744073709551615","sint32":-2147483648,"sint64":"-9223372036854775808","fixed32":4294967295}',
        '{"fixed64":"18446744073709551615","sfixed32":-2147483648,"sfixed64":"-1","bool":true,"string":"aä\\u0000\\ud83d\\ude00"}',
        '{"bytes":"AAEC/w=="}', '{"bytes":"-_8="}', '{"bytes":"AAE"}', '{"bytes":"A"}', '{"bytes":5}',
        '{"double":"NaN","float":"Infinity"}', '{"double":"-Infinity","float":"NaN"}', '{"double":1e400}', '{"float":1e39}',
        '{"double":-0.0,"float":-0.0}', '{"double":1e-320}', '{"double":"1.5"}', '{"double":true}',
        '{"int32":1.0,"int64":1e3}', '{"int32":1.5}', '{"int32":2147483648}', '{"int32":-2147483649}', '{"uint32":-1}',
        '{"uint64":18446744073709551616}', '{"int32":"7"}', '{"int32":"x"}', '{"int32":true}', '{"bool":"true"}', '{"bool":1}',
        '{"string":5}', '{"int32":null,"string":null,"bytes":null}', '{"unknown":1}', '{"int32":1,"int32":2}',
        '[]', '5', 'null', '"x"',
    ],
    "odd.three.Lists": [
        '{"double":[1,"NaN",-1.5],"float":[1,2],"int32":[1,-1,0],"int64":["5",6],"uint32":[7],"uint64":["8"]}',
        '{"sint32":[-1,1],"sint64":["-2"],"fixed32":[1],"fixed64":["2"],"sfixed32":[-3],"sfixed64":["-4"],"bool":[true,false]}',
        '{"string":["","a"],"bytes":["","AA=="],"messages":[{},{"int32":1}],"kinds":["NONE","FIRST",-1,77],"unpacked":[1,0,2]}',
        '{"int32":[]}', '{"int32":null}', '{"int32":[null]}', '{"messages":[null]}', '{"int32":5}', '{"int32":[1,"x"]}', '{"kinds":["X"]}',
    ],
    "odd.three.Maps": [
        '{"byBool":{"true":"yes","false":"no"}}', '{"byInt32":{"-1":"a","10":"b","9":"c"}}', '{"by_int64":{"5":"-7"}}',
        '{"byUint64":{"18446744073709551615":true,"0":false}}', '{"bySint32":{"-5":1.5}}', '{"byFixed64":{"1":"AA=="}}',
        '{"byName":{"":{},"a":{"int32":1}}}', '{"kinds":{"a":"FIRST","b":-1,"c":99}}', '{"values":{"a":null,"b":[1]}}',
        '{"byBool":{"yes":"x"}}', '{"byInt32":{"x":"a"}}', '{"byInt32":{"1":null}}', '{"byName":{"a":null}}', '{"byBool":[]}',
        '{"byUint64":{"-1":true}}',
    ],
    "odd.three.Outer": [
        '{"kind":"FIRST"}', '{"kind":"ALSO_FIRST"}', '{"kind":1}', '{"kind":-1}', '{"kind":42}', '{"kind":"NOPE"}', '{"kind":1.5}',
        '{"inner":{"deep":"DEEP","outer":{"inner":{"deep":3}}}}', '{"self":{}}', '{"self":{"self":{"kind":"NONE"}}}',
        '{"maybe":0}', '{"maybe":null}', '{"maybeText":"","maybeKind":"NONE"}', '{"number":0}', '{"text":""}', '{"message":{}}',
        '{"nothing":null}', '{"nothing":"NULL_VALUE"}', '{"number":1,"text":"x"}', '{"number":1,"text":null}', '{"number":1,"nothing":null}',
        '{"@other":5}', '{"renamed":5}', '{"snakeCaseName":1}', '{"snake_case_name":1}', '{"snakeCaseName":1,"snake_case_name":2}',
        '{"Leading":1,"withTwo":2,"Upper":3,"class":4}', '{"_leading":1,"with__two":2}', '{"Snakecasename":1}',
    ],
    "odd.three.Known": [
        '{"timestamp":"1970-01-01T00:00:00Z"}', '{"timestamp":"0001-01-01T00:00:00Z"}',
        '{"timestamp":"9999-12-31T23:59:59.999999999Z"}', '{"timestamp":"2025-12-01T10:30:00.5+02:00"}',
        '{"timestamp":"1969-12-31T23:59:59.000001Z"}', '{"timestamp":"0000-12-31T23:59:59Z"}', '{"timestamp":"x"}', '{"timestamp":5}',
        '{"duration":"0s"}', '{"duration":"1.5s"}', '{"duration":"-0.5s"}', '{"duration":"-315576000000s"}',
        '{"duration":"315576000001s"}', '{"duration":"1"}', '{"mask":"a,bC.dE"}', '{"mask":""}', '{"mask":5}',
        '{"structure":{"b":1,"a":[null,true,"x",{"c":{}}]}}', '{"structure":{}}', '{"structure":[]}',
        '{"value":null}', '{"value":1.5}', '{"value":"x"}', '{"value":[]}', '{"value":{}}', '{"value":false}', '{"value":1e300}',
        '{"list":[1,[2],{}]}', '{"list":[]}', '{"list":{}}', '{"empty":{}}', '{"empty":{"a":1}}',
        '{"double":0,"float":1.5,"int64":"5","uint64":6,"int32":-1,"uint32":1,"bool":false,"string":"","bytes":"AA=="}',
        '{"double":null,"bool":null}', '{"int64":"x"}', '{"timestamps":["1970-01-01T00:00:01Z"]}', '{"values":[null,1,{"a":null}]}',
        '{"wrapped":["1","0"]}', '{"wrapped":[null]}', '{"nullValue":null}', '{"nullValue":0}',
        '{"any":{}}', '{"any":{"@type":"type.googleapis.com/odd.three.Numbers","int32":5}}',
        '{"any":{"int32":5,"@type":"example.com/a/b/odd.three.Numbers"}}',
        '{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.5s"}}',
        '{"any":{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"a":1}}}',
        '{"any":{"@type":"type.googleapis.com/google.protobuf.Int32Value","value":5}}',
        '{"any":{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/odd.three.Numbers","bool":true}}}',
        '{"any":{"@type":"type.googleapis.com/odd.three.Nothing"}}', '{"any":{"int32":5}}',
        '{"any":{"@type":"type.googleapis.com/google.protobuf.Duration"}}', '{"any":5}',
    ],
    "odd.two.Old": [
        '{"id":1}', '{"id":0}', '{"name":"x"}', '{"id":1,"name":"","color":"RED","data":""}', '{"id":1,"color":5}', '{"id":1,"color":2}',
        '{"id":1,"color":"GREEN"}', '{"id":1,"inner":{"count":2,"item":[{"word":"a"},{}]}}', '{"id":1,"colors":["RED","BLUE"]}',
        '{"id":1,"unpacked":[1,2],"packed":[3,4]}', '{"id":1,"byNumber":{"-5":"BLUE"}}',
        '{"id":1,"[odd.two.note]":"hi"}', '{"id":1,"[odd.two.Old.Nested.nested]":{"value":"7"}}', '{"id":1,"[odd.two.numbers]":[-1,1]}',
        '{"id":1,"[odd.two.nothing]":1}', '{"id":null}',
    ],
    "odd.two.Holder": ['{"old":{"id":1}}', '{"old":{}}'],
    "odd.edition.Mixed": [
        '{"needed":1,"explicit":0,"implicit":0}', '{"needed":1,"packed":[1,2],"expanded":[1,2]}', '{"explicit":1}',
        '{"needed":1,"delimited":{"needed":2,"delimited":{"needed":3}}}', '{"needed":1,"closed":"CLOSED_ONE","open":7}', '{"needed":1,"closed":7}',
    ],
}
# For each message: bytes in hexadecimal that are valid or not.
BYTES = {
    "odd.three.Numbers": [
        "", "1801", "18011802", "18ffffffffffffffffff01", "18ffffffff0f", "6805", "6880808080808080808001", "70056162636465",
        "7203616263", "7201ff", "7202c328", "72ff", "1d01020304", "180118", "1a0101", "00", "0801", "a00601", "a2060161", "a30601a406",
        "a306a406", "a306", "a40601", "a306ac06", "38ffffffff0f", "38ffffffffffffffffff01", "40ffffffffffffffffff01", "2880808080f01f",
        "18808080808080808080808001", "7a0200ff", "f8ffffff0f01", "fa010100", "07", "0f", "1e",
    ],
    "odd.three.Lists": [
        "1a03010203", "180118021803", "1a0201021803", "1a02ffff", "1a0180", "9201021803", "9a010101", "0a080000000000000000", "0a07000000000000",
        "6a020105", "8a0103004d01", "9001019001029201020304", "72007200",
    ],
    "odd.three.Maps": [
        "0a050801120179", "0a03120179", "0a020801", "0a00", "0a0508011201790a050801120178", "12040801180512", "1204080118051200",
        "3a001203080112", "3a040a0161ff", "3a050a01611200", "3a090a01611200120218053a00", "4204 0a016110".replace(" ", ""), "42050a0161104d",
    ],
    "odd.three.Outer": [
        "084d", "08ffffffffffffffffff01", "12020803120208011200", "1a021a001a021a00", "3805420178", "42017838054a00", "4a02080338054a020803",
        "4a0208034a041a020801", "2000", "5000", "08ffffffff1f",
    ],
    "odd.three.Known": [
        "1200", "120508808080801012", "120b08ffffffffffffffffff01", "1206108094ebdc03", "120d08ffffffffffffffffff011001", "12021001",
        "12071080a8d6b907", "1a0210ff", "1a0b10ffffffffffffffffff01", "1a0d080110ffffffffffffffffff01", "1a00", "2203 0a0161".replace(" ", ""),
        "22050a03615f62", "22050a036142ff", "22050a03614262", "3200", "32020800", "3209110000000000000080", "320911000000000000f07f",
        "32021a00", "32022a00", "32023200", "3204080020012001", "2a070a050a01611200", "2a0a0a080a016112031a0178", "0a00", "0a020a00", "0a021200",
        "0a030a0161", "4200", "42020801", "4a00", "4a09090000000000000840", "a20100a201020805", "a80100", "8a010012",
    ],
    "odd.two.Old": [
        "0801", "", "08011b0802130a01611413141c", "08011b0802", "08011b08021c1b0803 1314 1c".replace(" ", ""), "08011a0408021300",
        "08012005", "08012002", "080128012802 2a0205 01".replace(" ", ""), "0801300132020203", "080138013a020203", "08014204080110 01".replace(" ", ""),
        "0801420408011002", "0801a206026869", "0801aa06020807", "0801b00601b2060101", "0801120080", "08011201ff",
    ],
    "odd.edition.Mixed": [
        "180108001000", "1801320218 02".replace(" ", ""), "180133180234", "1801330018", "18013807", "1801380140074001", "22020102180128032803",
    ],
}


def compile_protos():
    # Apart, because protoc of Debian cannot compile editions.
    folders = [HOME / "Proto", HOME / "Editions"]
    files = sorted(str(path.relative_to(folder)) for folder in folders for path in folder.rglob("*.proto"))
    files.remove("odd/service.proto")
    with tempfile.TemporaryDirectory() as temporary:
        output = Path(temporary, "set")
        command = [sys.executable, "-m", "grpc_tools.protoc", "--include_imports", "-o", str(output)]
        subprocess.run(command + [f"-I{folder}" for folder in folders] + files, check=True)
        return descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes())


class Reference:
    def __init__(self, files):
        self.pool = descriptor_pool.DescriptorPool()
        for file in files:
            self.pool.AddSerializedFile(file.SerializeToString())

    def message(self, name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))()

    def json(self, message, **options):
        return json.dumps(
            json_format.MessageToDict(message, descriptor_pool=self.pool, **options), ensure_ascii=False,
            separators=(",", ":"))

    def of_text(self, name, text):
        """The bytes, and the JSON of these bytes; none for invalid JSON."""
        try:
            message = json_format.Parse(text, self.message(name), descriptor_pool=self.pool)
            data = message.SerializeToString(deterministic=True)
            return data.hex(), self.json(message)
        except Exception:
            return None

    def of_bytes(self, name, text):
        """The JSON without and with default values; none for invalid bytes."""
        try:
            message = self.message(name)
            message.MergeFromString(bytes.fromhex(text))
            return self.json(message), self.json(message, always_print_fields_with_no_presence=True)
        except Exception:
            return None


def literal(text):
    return "nil" if text is None else f'#"{text}"#'


def main():
    files = compile_protos().file
    reference = Reference(files)
    lines = ["// Written by Tools/generator-check/dynamic_samples.py with Google's protobuf. Do not edit.",
             "// swift-format-ignore-file", "", "enum DynamicSamples {", "  /// The descriptors of the files, imported ones first, as base64.",
             "  static let files = ["]
    lines += [f'    "{base64.b64encode(file.SerializeToString()).decode()}",' for file in files]
    lines += ["  ]", "", "  /// JSON, the bytes in hexadecimal, and the JSON of these; neither for JSON that is invalid.",
              "  static let texts: [(type: String, json: String, bytes: String?, canonical: String?)] = ["]
    for name, texts in TEXTS.items():
        for text in texts:
            data, canonical = reference.of_text(name, text) or (None, None)
            lines.append(f'    ("{name}", {literal(text)}, {literal(data)}, {literal(canonical)}),')
    lines += ["  ]", "", "  /// Bytes in hexadecimal, and their JSON without and with default values; neither for invalid bytes.",
              "  static let bytes: [(type: String, bytes: String, json: String?, complete: String?)] = ["]
    for name, texts in BYTES.items():
        for text in texts:
            json_text, complete = reference.of_bytes(name, text) or (None, None)
            lines.append(f'    ("{name}", "{text}", {literal(json_text)}, {literal(complete)}),')
    lines += ["  ]", "}", ""]
    output = HOME / "Generated/DynamicSamples.swift"
    output.parent.mkdir(exist_ok=True)
    output.write_text("\n".join(lines), encoding="utf-8")


main()
