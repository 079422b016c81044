"""The contract, protocol/openrpc.json, as a judge of every message that the daemon sends."""
import functools
import json
import re

import jsonschema

from .paths import REPOSITORY


class Contract:
    """Checks replies and changes against their schemas."""

    @classmethod
    @functools.cache
    def shared(cls):
        return cls(json.loads((REPOSITORY / "protocol" / "openrpc.json").read_text()))

    def __init__(self, document):
        self.document = document
        self.methods = {m["name"]: m for m in document["methods"]}
        self.results = {name: self.validator(m["result"]["schema"]) for name, m in self.methods.items()}
        self.error = self.validator(document["x-error-object"])
        self.change = self.validator({"$ref": "#/components/schemas/Change"})
        self.properties = [(self.pattern(key), self.validator(p["schema"])) for key, p in document["x-properties"].items()]

    def validator(self, schema):
        return jsonschema.Draft202012Validator({**schema, "components": self.document["components"]})

    @staticmethod
    def pattern(key):
        parts = re.split(r"\{\w+\}", key)
        return re.compile("[A-Za-z0-9_-]{1,64}".join(map(re.escape, parts)) + r"\Z")

    def check_property(self, key, value):
        for pattern, validator in self.properties:
            if pattern.match(key):
                validator.validate(value)
                return
        raise AssertionError(f"{key} is no property of the contract")

    def check_change(self, message):
        assert message["jsonrpc"] == "2.0" and "id" not in message
        for key, change in message["params"]["changes"].items():
            self.change.validate(change)
            for part in ("old", "new"):
                if part in change and not (change[part] is None and part == "old"):
                    self.check_property(key, change[part])

    def check_reply(self, method, message):
        assert message["jsonrpc"] == "2.0"
        assert ("result" in message) != ("error" in message), message
        if "error" in message:
            self.error.validate(message["error"])
            return
        if method in self.results:
            self.results[method].validate(message["result"])
        if method in ("get", "observe"):
            for key, value in message["result"]["values"].items():
                self.check_property(key, value)
