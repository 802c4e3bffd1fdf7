package optimize

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// replayName is the file of the replay script in a run's directory.
const replayName = "replay.sh"

// replayScript returns a shell script that shows the claim with nothing but
// git, go test and benchstat: it makes two copies of the module, with and
// without the kept changes, and runs the benchmarks in turns.
func replayScript(run *model.Run, place *tree.Place) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# Replays the claim of pawl run %s with stock tools.\n# The first argument is the number of rounds; 10 when there is none.\n", run.ID)
	fmt.Fprintf(&b, "set -eu\nrounds=${1:-10}\ndir=$(mktemp -d)\ntrap 'rm -rf \"$dir\"' EXIT\n")
	rel, err := filepath.Rel(place.Root, place.Module)
	if err != nil {
		rel = "."
	}
	root := words.Quote(place.Root)
	if len(run.Patches) == 0 {
		fmt.Fprintf(&b, "mkdir \"$dir/old\" \"$dir/new\"\n")
		fmt.Fprintf(&b, "git -C %s archive %s | tar -x -C \"$dir/old\"\n", root, run.Head)
		fmt.Fprintf(&b, "git -C %s archive %s | tar -x -C \"$dir/new\"\n", root, words.Quote(run.Branch))
	} else {
		fmt.Fprintf(&b, "cp -R %s \"$dir/old\"\ncp -R %s \"$dir/new\"\n", root, root)
	}
	for _, p := range run.Patches {
		fmt.Fprintf(&b, "patch -s -p1 -d \"$dir/new\" < %s\n", words.Quote(p))
	}
	fmt.Fprintf(&b, "for i in $(seq \"$rounds\"); do\n\tfor side in old new; do\n")
	for _, p := range run.Plans {
		fmt.Fprintf(&b, "\t\t(cd \"$dir/$side/\"%s && go test -run '^$' -bench %s -benchmem -benchtime %dx %s) >> \"$dir/$side.txt\"\n",
			words.Quote(filepath.ToSlash(rel)), words.Quote(p.Benchmark.Regexp()), p.N, words.Quote(p.Benchmark.Pkg))
	}
	fmt.Fprintf(&b, "\tdone\ndone\n")
	fmt.Fprintf(&b, "cd \"$dir\"\nif command -v benchstat > /dev/null; then\n\tbenchstat old.txt new.txt\nelse\n\tgo run golang.org/x/perf/cmd/benchstat@latest old.txt new.txt\nfi\n")
	return b.String()
}
