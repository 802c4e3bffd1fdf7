// Package reflects looks up once what reflection finds by name (reflect-cache): a
// field or method is looked up once per type and name, and a bounded cache keeps its
// index.
//
// The obligations: the same type and name give the same result, a condition that a
// search asks included (match.go); what panicked still panics; nobody writes to the
// index that is remembered; and the cache is bounded. What is written is in code.go.
package reflects

import "embed"

//go:embed all:proofs
var proofs embed.FS
