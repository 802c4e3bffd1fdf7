// Package gorelease holds what pawl knows of each Go release, in one table:
// what compilers, runtimes and go commands write may change with any of them.
// Code that reads such output asks here whether it is known, and does with less
// where it is not.
//
// The oldest release is the oldest toolchain of a user's module. The two newest
// are those that pawl is built with and tested on in full; HACKING.md says what
// to do when the next one comes.
//
// What a language version or a library brought, such as range over integers
// with go1.22, does not change any more, and is not in the table. Rules and
// transformations compare it with the go line of the file that they look at.
package gorelease

import (
	"go/version"
	"slices"
	"strings"
)

// A Release is what is known of one release, with all its patches.
type Release struct {
	Go string // "go1.27"

	// Export are the versions of the compiler's export data. Those of the
	// toolchain in use are held against it by TestExportData of internal/source;
	// what golang.org/x/tools can read is tried there as well.
	Export []int
	// Objects says that the numbers of symbol kinds and relocations in compiled
	// packages are those that internal/read/reach reads. Its TestNumbers holds them
	// against the sources of each toolchain that is there.
	Objects bool
	// Exported is the bit of a symbol's second flags that says that the host may
	// call it. Go 1.27 gave the bit that it was before to the adapters between
	// calling conventions.
	Exported uint8
	// Notes says that the compiler words its notes on escapes and inlining in a
	// way that internal/read/escape reads. Its tests compile programs.
	Notes bool
	// Trace is the newest release in the headers of execution traces.
	// internal/read/trace has its tests write some.
	Trace string
	// Runtime says that the overlay of testing's benchmarks fits (internal/measure/bench),
	// and that functions of the runtime in profiles, lines of gctrace and names
	// of GODEBUG settings and metrics are those that internal/explain/diagnose,
	// internal/explain/observe and internal/explain/metrics look for. Their tests run programs.
	Runtime bool
	// Align says that the linker puts functions at boundaries of any size
	// (-funcalign). Tests of internal/measure/bench link programs.
	Align bool
	// Checked is how that was found out.
	Checked string
}

// known is the table, oldest first. The patch releases in Checked are those
// that the tests ran with when the line was written.
var known = []Release{
	{Go: "go1.24", Export: []int{2}, Objects: true, Exported: 1 << 6, Notes: true, Trace: "1.23", Runtime: true, Checked: "TestReleases of cmd/pawl with go1.24.13"},
	{Go: "go1.25", Export: []int{2}, Objects: true, Exported: 1 << 6, Notes: true, Trace: "1.25", Runtime: true, Align: true, Checked: "TestReleases of cmd/pawl with go1.25.14"},
	{Go: "go1.26", Export: []int{2}, Objects: true, Exported: 1 << 6, Notes: true, Trace: "1.26", Runtime: true, Align: true, Checked: "all tests with go1.26.8"},
	// go1.27.0 wrote version 4 of export data, and go1.27.4 writes 5.
	{Go: "go1.27", Export: []int{4, 5}, Objects: true, Exported: 1 << 7, Notes: true, Trace: "1.26", Runtime: true, Align: true, Checked: "TestReleases of cmd/pawl and the tests of internal with go1.27.4"},
}

// OldestBinary is the release whose test binaries know all the flags that they
// are run with. They may be older than the toolchain that builds the module.
const OldestBinary = "go1.20"

// Oldest returns the oldest toolchain that pawl works with, as in go1.24. Older
// ones lack testing.B.Loop and have compiler notes of another form.
func Oldest() string { return known[0].Go }

// Newest returns the newest release in the table.
func Newest() string { return known[len(known)-1].Go }

// All returns the releases in the table, oldest first.
func All() []Release { return slices.Clone(known) }

// Of returns what is known of the release that a toolchain is of, which its
// version names: go1.27.4, go1.28rc1, go1.28-devel_0123abcd.
func Of(toolchain string) (Release, bool) {
	lang := version.Lang(toolchain)
	i := slices.IndexFunc(known, func(r Release) bool { return r.Go == lang && lang != "" })
	if i < 0 {
		return Release{}, false
	}
	return known[i], true
}

// Names lists the releases in the table, for a message.
func Names() string {
	var names []string
	for _, r := range known {
		names = append(names, r.Go)
	}
	return strings.Join(names, ", ")
}

// TooOld reports whether a toolchain is older than the oldest that is known.
func TooOld(toolchain string) bool {
	return version.IsValid(toolchain) && version.Compare(toolchain, Oldest()) < 0
}
