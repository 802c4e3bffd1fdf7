package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A subject is one benchmark of somebody else's module, at a fixed version.
type subject struct {
	name    string // short
	module  string
	version string
	keep    []string // directories and files of the module that are copied; all, if empty
	pkg     string   // the package's directory in the module
	fn      string   // the function whose loop gets the steps
	bench   string   // the leaf that is compared
	drop    []string // benchmark functions that are taken out
	nature  string   // what the benchmark does
}

// subjects are the benchmarks that are compared. They were chosen to differ in
// what they do, to have a loop of their own, and to take long enough for one
// step to be a small part of an operation.
var subjects = []subject{
	{
		name: "toml", module: "github.com/BurntSushi/toml", version: "v1.6.0", pkg: ".",
		fn: "BenchmarkExample", bench: "BenchmarkExample/decode", nature: "allocates: maps, strings, reflection",
	},
	{
		name: "gjson", module: "github.com/tidwall/gjson", version: "v1.18.0", pkg: ".",
		fn: "BenchmarkValid", bench: "BenchmarkValid", nature: "branches over bytes, no allocation",
	},
	{
		name: "btree", module: "github.com/google/btree", version: "v1.1.3", pkg: ".",
		fn: "BenchmarkDescendRange", bench: "BenchmarkDescendRange", nature: "follows pointers, calls through interfaces",
	},
	{
		name: "huff0", module: "github.com/klauspost/compress", version: "v1.18.0", pkg: "huff0",
		keep: []string{"go.mod", "LICENSE", "huff0", "fse", "internal", "flate", "zip", "testdata"},
		fn:   "BenchmarkCompress1XReuseNone", bench: "BenchmarkCompress1XReuseNone/gettysburg", nature: "tables and bit shifts",
	},
	{
		name: "uniseg", module: "github.com/rivo/uniseg", version: "v0.4.7", pkg: ".",
		fn: "BenchmarkLineFunctionBytes", bench: "BenchmarkLineFunctionBytes", nature: "searches tables, small allocations",
	},
	{
		name: "xxhash", module: "github.com/cespare/xxhash/v2", version: "v2.3.0", pkg: ".",
		fn: "BenchmarkSum64", bench: "BenchmarkSum64/4KB", nature: "arithmetic in assembly, 300 ns",
	},
}

// gated is the module with twenty benchmarks. Four of its own are taken out:
// three whose single operation takes 10 ms to 1.4 s, and one of 6 ns, where a
// step would be a fifth.
var gated = subject{
	name: "decimal", module: "github.com/shopspring/decimal", version: "v1.4.0", pkg: ".",
	fn: "BenchmarkDecimal_NewFromString", bench: "BenchmarkDecimal_NewFromString",
	drop:   []string{"Benchmark_DivideOriginal", "Benchmark_DivideNew", "Benchmark_Cmp", "Benchmark_FloorFast"},
	nature: "big integers, many small allocations",
}

// chosen returns the subjects that a list of names picks, all for an empty one.
func chosen(list string) ([]subject, error) {
	if list == "" {
		return subjects, nil
	}
	var out []subject
	for _, name := range strings.Split(list, ",") {
		s, ok := subjectNamed(name)
		if !ok {
			return nil, fmt.Errorf("there is no subject %q", name)
		}
		out = append(out, s)
	}
	return out, nil
}

func subjectNamed(name string) (subject, bool) {
	for _, s := range append([]subject{gated}, subjects...) {
		if s.name == name {
			return s, true
		}
	}
	return subject{}, false
}

func (s subject) importPath() string { return path.Join(s.module, s.pkg) }

// pattern returns the package as the go command is told of it in the module's
// directory.
func (s subject) pattern() string {
	if s.pkg == "." {
		return "."
	}
	return "./" + s.pkg
}

func (s subject) benchmark() model.Benchmark {
	return model.Benchmark{Pkg: s.importPath(), Name: s.bench}
}
