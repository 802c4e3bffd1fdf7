package internal

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/pprof/profile"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "golang.org/x/perf/benchfmt"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "golang.org/x/tools/go/packages"
)
