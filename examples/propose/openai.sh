#!/bin/sh
# Asks a language model for changes, for pawl optimize -propose. It needs curl and jq,
# and any server that speaks the chat completions of OpenAI's API:
#
#   export PAWL_LLM_URL=http://localhost:8000/v1 PAWL_LLM_MODEL=name PAWL_LLM_KEY=token
#   pawl optimize -propose "sh $PWD/openai.sh" -propose-env PAWL_LLM_URL,PAWL_LLM_MODEL,PAWL_LLM_KEY
#
# A server that wants no token needs no PAWL_LLM_KEY. The cost of a call is counted in
# millions of tokens.
set -eu

rules='You make Go code faster without any change of behaviour. You get one function as JSON:
its source with types and callers, what its lines cost, what the compiler says, and what was
tried and refuted. Answer as its field "answer" says, with at most three unified diffs, each
after one line of reason. Copy context lines exactly. Do not repeat what was tried.'

jq -R -s --arg model "$PAWL_LLM_MODEL" --arg rules "$rules" \
	'{model: $model, messages: [{role: "system", content: $rules}, {role: "user", content: .}]}' > question.json

# The token comes in a file that curl reads, and so in no list of processes.
{
	echo 'header = "Content-Type: application/json"'
	if [ -n "${PAWL_LLM_KEY:-}" ]; then
		printf 'header = "Authorization: Bearer %s"\n' "$PAWL_LLM_KEY"
	fi
} > headers
curl --silent --show-error --fail --config headers --data-binary @question.json --output answer.json "$PAWL_LLM_URL/chat/completions"

jq -r '.choices[0].message.content, "cost: \((.usage.total_tokens // 0) / 1000000)"' answer.json
