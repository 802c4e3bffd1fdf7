// Package reflects makes reflection cheaper.
//
// What it finds by name is looked up once (reflect-cache).
// A field or method is looked up once per type and name, and a bounded cache
// keeps its index.
//
// A map is ranged over without a slice of its keys (map-range). What binary.Read
// and binary.Write find out by reflection is written as code (binary-to-code):
// layout.go writes the statements for a type, binarycode.go a function around
// them, and share.go finds the calls that can use one buffer.
//
// A value that is made in each turn of a loop is made once (reflect-scratch);
// borrowed.go asks who may keep it.
//
// Of reflect-cache there are four obligations. The same type and name give the same result, even
// where a search also asks a condition (match.go). What panicked still panics.
// Nobody writes to the index that is remembered. The cache is bounded. The code
// that is written is in code.go.
package reflects

import "embed"

//go:embed all:proofs
var proofs embed.FS
