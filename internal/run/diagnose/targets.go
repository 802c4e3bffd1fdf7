package diagnose

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// What was gathered of all targets.
type gathered struct {
	sources     []profile.Source
	answers     []answered // of URLs
	observed    []model.Observed
	traces      []*model.Trace
	args        []string
	interrupted bool
	missing     []error // of URLs that gave nothing, where others did
}

// gather reads all targets. The order of reading is that of how long it takes.
func (w *work) gather(ctx context.Context, targets []string) error {
	if err := w.sort(targets); err != nil {
		return err
	}
	for _, name := range w.files {
		if err := w.readFile(ctx, name); err != nil {
			return err
		}
	}
	if !w.Dashes {
		if err := w.readURLs(ctx); err != nil {
			return err
		}
	}
	if len(w.packages) == 0 && !w.Dashes {
		return nil
	}
	scratch, err := gocmd.NewScratch("", "diagnose")
	if err != nil {
		return err
	}
	defer scratch.Remove()
	if len(w.packages) > 0 {
		return w.observePackages(ctx, scratch.Dir)
	}
	return w.observeCommand(ctx, scratch.Dir)
}

// sort says which target is what, and what does not go together.
func (w *work) sort(targets []string) error {
	for _, name := range targets {
		kind, err := w.kindOf(name)
		if err != nil {
			return err
		}
		if fi, err := os.Stat(w.file(name)); kind == &w.packages && err == nil && fi.IsDir() && filepath.IsLocal(name) && name[0] != '.' {
			name = "./" + name // a directory that is there, and no import path
		}
		*kind = append(*kind, name)
	}
	switch {
	case w.Seconds > int(longestWindow/time.Second):
		return testbed.Usagef("%d seconds is not between 1 and %d", w.Seconds, longestWindow/time.Second)
	case w.Dashes && len(w.packages) == 0 && len(w.Line) == 0:
		return testbed.Usage("there is no command after --")
	case w.Dashes && len(w.packages) > 1:
		return testbed.Usagef("what follows -- are the arguments of one main package, and there are %d packages", len(w.packages))
	case w.Dashes && w.Bench != "":
		return testbed.Usage("-bench is for the benchmarks of a package, and -- for what a main package or a command is run with: give one of them")
	case len(w.urls) > 0 && len(w.packages) > 0:
		return testbed.Usage("packages are profiled from inside, and a program has one CPU profile at a time: leave out the URL, or run the program as a command (--)")
	case w.Bench != "" && len(w.packages) == 0:
		return testbed.Usage("-bench needs a package")
	case w.Keep != "" && len(w.packages) == 0:
		return testbed.Usage("-keep needs a package: only then pawl takes profiles that are not in files")
	}
	return testbed.CheckPattern(w.Bench)
}

// kindOf returns the list that a target belongs to: a URL, a file that is
// there, a directory or what looks like an import path or a pattern.
func (w *work) kindOf(name string) (*[]string, error) {
	switch {
	case target.IsURL(name):
		return &w.urls, nil
	case name == "":
		return nil, testbed.Usage("a TARGET is empty: is a variable of the shell not set?")
	}
	fi, err := os.Stat(w.file(name))
	switch {
	case err == nil && fi.IsDir(), strings.Contains(name, "..."):
		return &w.packages, nil
	case err == nil:
		return &w.files, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, testbed.Usagef("%v", err)
	}
	first, _, slash := strings.Cut(name, "/")
	if strings.Contains(first, ":") { // which no import path has
		return nil, testbed.Usagef("%s: no such file; if it is a URL, begin it with http:// or https://", name)
	}
	path := slash && first != "" && first != "." && first != ".."
	if !path || slices.Contains([]string{".pprof", ".prof", ".out", ".pb", ".gz", ".trace"}, filepath.Ext(name)) {
		return nil, testbed.Usagef("%s: no such file or package; name a pprof file, an execution trace, a package, or a URL that contains /debug/pprof", name)
	}
	return &w.packages, nil
}

// Public returns a target as it may be shown: a URL without its password.
func Public(name string) string {
	if !target.IsURL(name) {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return "http://…" // a secret may be anywhere in it
	}
	return scrub.URL(u)
}

// file returns the name of a file where pawl was started.
func (o *Options) file(name string) string {
	if file, ok := o.Files[name]; ok {
		return file
	}
	return foreign.Path(o.Dir, name)
}
