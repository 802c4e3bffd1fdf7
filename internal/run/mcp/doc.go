// Package mcp serves pawl to coding agents by the Model Context Protocol. A call
// of a tool runs a verb of pawl as a process of its own, and is answered with a
// digest of the verb's JSON.
//
// An agent writes changes and pawl judges them. So the tools read, measure and
// judge, and none of them writes into the user's tree. The verbs run in the
// sandbox, because what an agent hands in is foreign code. An agent cannot loosen
// the guard: no tool has a parameter for -allow. What a person allows stands in a
// file outside of the module ([ReadConsent]).
//
// Verbs that run code take turns, since two measurements at once disturb each
// other. A call that waits or works reports its progress, and ends when its
// client cancels it: pawl gets SIGTERM and leaves the tree as it was.
//
// Answers are small. The whole outputs of the latest calls are kept in memory: the
// tool “more” shows parts of them, and the resource pawl://output/ID all of one.
// The resource pawl://run/ID is the record of a run.
//
// The protocol is that of the official SDK (github.com/modelcontextprotocol/go-sdk),
// on standard input and output or as streamable HTTP on a loopback address. HTTP
// wants a token, and refuses requests with a foreign Host or Origin, since any web
// page can make a browser send requests to a loopback address.
package mcp
