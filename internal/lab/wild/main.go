// Command wild runs pawl optimize on modules that pawl was not developed with, and
// prints what became of it as Markdown. It is no part of pawl; docs/wild.md is
// what it printed.
//
//	go build -o /tmp/pawl ./cmd/pawl
//	go run ./internal/lab/wild -pawl /tmp/pawl -resume -write docs/wild.md
//	go run ./internal/lab/wild -choose     how the corpus was chosen
//	go run ./internal/lab/wild -pawl /tmp/pawl -series DIR    what is kept, as patches with evidence
//
// The corpus are the modules that the go.mod files of two dozen programs require
// most often, see choose.go. A coin whose seed is in corpus.go says which half is
// looked at. Of the other half nothing is printed but what was won, so that
// transformations cannot be written for it.
//
// Each module comes through the go command, and is committed in a directory of its
// own. What is measured there is bounded, see prepare.go. One that fails is part of
// the result, with the reason. Results are saved module by module: after an
// interrupt, -resume goes on with the module that was not finished.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wild:", err)
		os.Exit(1)
	}
}

// A lab is where the runs take place.
type lab struct {
	pawl, dir string
	series    string // directory for what is kept, as patches; "" for none
	budget    time.Duration
	log       io.Writer
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("wild", flag.ContinueOnError)
	pawl := fs.String("pawl", "pawl", "the `program` that is run")
	work := fs.String("work", "", "`directory` of the modules and results; a directory of the user's cache without it")
	budget := fs.Duration("budget", 3*time.Minute, "`time` that optimize is given in each module")
	only := fs.String("only", ".", "modules that match `regexp`")
	half := fs.String("half", "both", "`which` half is run: looked (at), only (run), or both")
	corpus := fs.String("corpus", "", "`file` of other modules: lines of path, version, package and a number, with tabs between")
	series := fs.String("series", "", "`directory` into which what is kept goes, by module: patches for git am, and evidence.md")
	write := fs.String("write", "", "`file` in which the tables take the place of those between its marks, with the diffs of what is kept in wins beside it; the tables alone to standard output without it")
	resume := fs.Bool("resume", false, "keep the results that are there, and go on with the other modules")
	tables := fs.Bool("tables", false, "run nothing, print the tables of the results that are there")
	choose := fs.Bool("choose", false, "run nothing, choose the corpus anew and print it")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if !slices.Contains([]string{"looked", "only", "both"}, *half) {
		return fmt.Errorf("-half %s is none of looked, only and both", *half)
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	l := &lab{pawl: *pawl, dir: cmp.Or(*work, filepath.Join(cache, "pawl-wild")), series: *series, budget: *budget, log: os.Stderr}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	if *choose {
		return l.choose(ctx, os.Stdout)
	}
	if strings.ContainsRune(*pawl, filepath.Separator) { // it is run in the modules' directories
		if l.pawl, err = filepath.Abs(*pawl); err != nil {
			return err
		}
	}
	all, err := subjects(*corpus)
	if err != nil {
		return err
	}
	for _, s := range all {
		if *tables || !chosen.MatchString(s.Module) || *half == "looked" && !s.Looked || *half == "only" && s.Looked {
			continue
		}
		if err := l.subject(ctx, s, *resume); err != nil {
			return err
		}
	}
	return l.show(all, *write)
}

func (l *lab) show(all []subject, document string) error {
	results, err := l.entries(all)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := tables(&text, results); err != nil {
		return err
	}
	if document != "" {
		return errors.Join(replace(document, text.String()), diffs(filepath.Join(filepath.Dir(document), "wins"), results))
	}
	_, err = os.Stdout.Write(text.Bytes())
	return err
}

// marks enclose the tables in a document.
const beginMark, endMark = "<!-- tables -->\n", "<!-- /tables -->\n"

func replace(name, tables string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), beginMark)
	_, after, end := strings.Cut(rest, endMark)
	if !ok || !end {
		return fmt.Errorf("%s has no line %s with %s below", name, strings.TrimSpace(beginMark), strings.TrimSpace(endMark))
	}
	return os.WriteFile(name, []byte(before+beginMark+"\n"+tables+"\n"+endMark+after), 0o666)
}

// A module is one in the module cache.
type module struct{ Version, Dir, Error string }

func (l *lab) download(ctx context.Context, version string) (m module, err error) {
	text, err := l.do(ctx, l.dir, "go", "mod", "download", "-json", version)
	if jerr := json.Unmarshal([]byte(text), &m); jerr == nil && m.Error != "" {
		return m, errors.New(m.Error)
	}
	return m, err
}

func (l *lab) do(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), errors.Join(ctx.Err(), err), strings.TrimSpace(text.String()))
	}
	return out.String(), err
}
