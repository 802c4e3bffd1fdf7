// Package mcp serves pawl to coding agents by the Model Context Protocol: a call
// of a tool goes in, pawl runs the verb as a process of its own, and a digest of
// its JSON comes out.
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
// Answers are small. The whole output of a call is kept in memory for as long
// as it is among the latest, and the tool “more” and the resource
// pawl://output/ID have it in parts; pawl://run/ID has the record of a run.
//
// The protocol is that of the official SDK (github.com/modelcontextprotocol/go-sdk),
// on standard input and output or as streamable HTTP on a loopback address. HTTP
// wants a token, and refuses requests with a foreign Host or Origin, since any web
// page can make a browser send requests to a loopback address.
package mcp
