package bench

import (
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// alignFlag puts each function at the start of a cache line. The linker's own
// boundary on amd64 is 32 bytes: half of all functions then start in the middle
// of a line, and every edit moves others there. docs/judge.md has what that
// does to benchmarks, and that other boundaries do no more.
const alignFlag = "-funcalign=64"

// alignable reports whether alignFlag was measured for what s builds.
func (s *Suite) alignable() bool {
	r, ok := gorelease.Of(s.g.Version)
	return ok && r.Align && s.g.Vars["GOARCH"] == "amd64"
}

// align adds alignFlag to the linker's flags that o or the user asks for. What
// runs under instruments is not timed, and stays as it is.
func (s *Suite) align(o gocmd.BuildOpts) gocmd.BuildOpts {
	if !s.alignable() || o.Race || len(o.CoverPkg) > 0 {
		return o
	}
	return s.g.ForLinker(o, alignFlag)
}
