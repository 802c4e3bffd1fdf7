#!/usr/bin/env python3
"""Asks a language model for changes, for pawl optimize -propose.

It needs nothing but Python, and any server that speaks the chat completions of
OpenAI's API:

    export PAWL_LLM_URL=http://localhost:8000/v1 PAWL_LLM_MODEL=name PAWL_LLM_KEY=token
    pawl optimize -propose "python3 $PWD/openai.py" -propose-env PAWL_LLM_URL,PAWL_LLM_MODEL,PAWL_LLM_KEY

A server that wants no token needs no PAWL_LLM_KEY. The cost of a call is counted
in millions of tokens.
"""

import json
import os
import sys
import urllib.request

RULES = """You make Go code faster without any change of behaviour. You get one function as JSON:
its source with types and callers, what its lines cost, what the compiler says, and what was
tried and refuted. Answer with JSON alone: {"proposals": [{"diff": "a unified diff", "reason":
"why it is faster"}]}, with at most three of them. Copy context lines exactly. Do not repeat
what was tried."""


def main():
    question = {
        "model": os.environ["PAWL_LLM_MODEL"],
        "messages": [
            {"role": "system", "content": RULES},
            {"role": "user", "content": sys.stdin.read()},
        ],
        "response_format": {"type": "json_object"},
    }
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("PAWL_LLM_KEY"):
        headers["Authorization"] = "Bearer " + key
    url = os.environ["PAWL_LLM_URL"] + "/chat/completions"
    request = urllib.request.Request(url, json.dumps(question).encode(), headers)
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    proposals = json.loads(answer["choices"][0]["message"]["content"])
    proposals["cost"] = answer.get("usage", {}).get("total_tokens", 0) / 1e6
    json.dump(proposals, sys.stdout)


main()
