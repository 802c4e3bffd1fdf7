// Command timings prints one table of what pawl promises in seconds: the wall
// time of compare, gate, try and optimize beside their budgets, on modules that
// other people wrote. It is no part of pawl, and nothing fails on what it prints.
//
// The rows of optimize are of go-toml and zap, which pawl was developed with, and of
// ten modules that it was not: how many ideas were judged, how many kept, and when
// the first was. They get the largest budget, and run twice: the
// second time caches are warm, and the row is of that.
//
// With -optimize there is another table instead, of the search in one directory, and what
// the time went into. With -against two programs take turns, so that other work on the
// machine slows both alike:
//
//	go run ./internal/lab/timings -pawl /tmp/old -against /tmp/new -optimize examples/wire -budgets 90s -runs 3
//
//	go build -o /tmp/pawl ./cmd/pawl
//	go run ./internal/lab/timings -pawl /tmp/pawl
//
// The modules come through the go command into a temporary directory, and are
// committed there. Each has three changes: one that moves functions and does
// nothing else (an A/A with another layout), one that allocates, and, for
// compare with -screen=false, none. With -cold the build cache is new for each
// module.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "timings:", err)
		os.Exit(1)
	}
}

// A lab is where the runs take place.
type lab struct {
	pawl, dir string
	env       []string
	table     *tabwriter.Writer
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("timings", flag.ContinueOnError)
	pawl := fs.String("pawl", "pawl", "the `program` that is timed")
	budgets := fs.String("budgets", "20s,45s,90s", "`times` that each verb is given")
	only := fs.String("only", ".", "modules that match `regexp`")
	cold := fs.Bool("cold", false, "begin each module with an empty build cache")
	wire := fs.String("optimize", "", "`directory` of a module to time optimize on, such as examples/wire; none without it")
	against := fs.String("against", "", "another `program` to time optimize with, in turns with the first")
	runs := fs.Int("runs", 1, "how `often` optimize is run with each budget")
	if err := fs.Parse(args); err != nil {
		return err
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	scratch, err := gocmd.NewScratch("", "timings")
	if err != nil {
		return err
	}
	defer scratch.Remove()
	dir := scratch.Dir
	l := &lab{pawl: *pawl, dir: dir, env: os.Environ(), table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	list := strings.Split(*budgets, ",")
	if *wire != "" {
		pawls := []string{*pawl}
		if *against != "" {
			pawls = append(pawls, *against)
		}
		return l.searches(ctx, *wire, pawls, list, *runs)
	}
	fmt.Fprintln(l.table, "module\tverb\tchange\tbudget\twall s\texit\tanswer")
	for _, s := range subjects {
		if !chosen.MatchString(s.module) {
			continue
		}
		if *cold {
			l.env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache-"+s.name()), "XDG_CACHE_HOME="+filepath.Join(dir, "home-"+s.name()))
		}
		if err := l.subject(ctx, s, list); err != nil {
			return fmt.Errorf("%s: %w", s.module, err)
		}
	}
	for _, s := range searched {
		if !chosen.MatchString(s.module) {
			continue
		}
		if err := l.searched(ctx, s, list[len(list)-1]); err != nil {
			return fmt.Errorf("%s: %w", s.module, err)
		}
	}
	return l.table.Flush()
}

func (l *lab) subject(ctx context.Context, s subject, budgets []string) error {
	dir, err := l.prepare(ctx, s)
	if err != nil {
		return err
	}
	for _, b := range budgets {
		for _, r := range []struct {
			change string
			args   []string
		}{
			{"moved", []string{"compare", "-screen=false", "-bench", s.bench, "first", "moved"}},
			{"allocates", []string{"compare", "-bench", s.bench, "first", "allocates"}},
			{"moved", []string{"gate", "-base", "first", "-screen=false"}},
			{"allocates", []string{"gate", "-base", "first"}},
			{"moved", []string{"try", "-bench", s.bench, "moved"}},
			{"allocates", []string{"try", "-bench", s.bench, "allocates"}},
		} {
			branch := "first"
			if r.args[0] == "gate" {
				branch = r.change
			}
			if _, err := l.do(ctx, dir, "git", "checkout", "-q", branch); err != nil {
				return err
			}
			args := append([]string{r.args[0], "-q", "-budget", b}, r.args[1:]...)
			f, err := l.do(ctx, dir, l.pawl, append(args, s.pkg)...)
			if err != nil && f.code < 0 {
				return err
			}
			answer, _, _ := strings.Cut(string(f.stdout), "\n")
			l.row(s.name(), r.args[0], r.change, b, f, answer)
		}
	}
	return nil
}

func (l *lab) row(module, verb, change, budget string, f finished, answer string) {
	fmt.Fprintf(l.table, "%s\t%s\t%s\t%s\t%.1f\t%d\t%s\n", module, verb, change, budget, f.wall.Seconds(), f.code, answer)
	fmt.Fprintf(os.Stderr, "%s %s %s %s: %.1f s, exit %d\n", module, verb, change, budget, f.wall.Seconds(), f.code)
}

// A finished is how a process ended.
type finished struct {
	stdout []byte
	code   int // -1 where it did not start, or was killed
	wall   time.Duration
	cpu    time.Duration // of all processes
}

func (l *lab) do(ctx context.Context, dir, name string, args ...string) (finished, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Env = dir, l.env
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	start := time.Now()
	err := cmd.Run()
	f := finished{stdout: out.Bytes(), code: -1, wall: time.Since(start)}
	if ps := cmd.ProcessState; ps != nil {
		f.code, f.cpu = ps.ExitCode(), ps.UserTime()+ps.SystemTime()
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), errors.Join(ctx.Err(), err), strings.TrimSpace(text.String()))
	}
	return f, err
}
