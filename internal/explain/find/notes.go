package find

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// mostNotes is how many notes of the compiler a finding shows.
const mostNotes = 3

// Explain adds to the findings what the compiler says on their lines: why
// something is on the heap. Findings that the compiler contradicts, since what
// they speak of stays on the stack, are dropped and counted. It compiles the
// packages of the findings, with the go command's cache.
func Explain(ctx context.Context, o Options, f *model.Findings) error {
	pkgs := explained(f.Findings)
	if r, _ := gorelease.Of(f.GoVersion); len(pkgs) == 0 || !r.Notes {
		return nil // a finding is not dropped for a note that may only have other words
	}
	temp, err := gocmd.NewScratch("", "find")
	if err != nil {
		return fmt.Errorf("making room for the compiler's notes: %w", err)
	}
	defer temp.Remove()
	scratch := temp.Dir
	g, err := gocmd.New(ctx, gocmd.Config{Dir: f.Root, Env: o.Env, GOWORK: cmp.Or(f.Work, "off"), State: filepath.Join(scratch, "go"), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		return err
	}
	notes, err := escape.Take(ctx, g, escape.Config{Dir: filepath.Join(scratch, "notes"), Root: f.Root, Patterns: pkgs, Pkgs: pkgs})
	if err != nil {
		return err
	}
	f.Findings = slices.DeleteFunc(f.Findings, func(x model.Finding) bool {
		if !onHeap[x.Rule] || escapes(notes, x) {
			return false
		}
		f.Hidden.Compiler++
		return true
	})
	for i := range f.Findings {
		x := &f.Findings[i]
		for line := x.First; line <= x.Last && line < x.First+50; line++ {
			for _, n := range notes.OnLine(x.At.File, line) {
				if n.Kind == model.NoteEscape && len(x.Notes) < mostNotes && !slices.Contains(x.Notes, n.Message) {
					x.Notes = append(x.Notes, n.Message)
				}
			}
		}
	}
	return nil
}

// onHeap has the rules whose findings hold only where something is on the heap.
var onHeap = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range catalogue.All() {
		m[e.Rule.Name] = e.Rule.Escapes
	}
	return m
}()

// escapes reports whether the compiler puts something on the heap on the lines
// that the finding is about.
func escapes(notes *escape.Notes, x model.Finding) bool {
	for line := x.At.Line; line <= max(x.At.Line, x.End.Line); line++ {
		for _, n := range notes.OnLine(x.At.File, line) {
			if n.Kind == model.NoteEscape {
				return true
			}
		}
	}
	return false
}

// explained returns the packages of the findings.
func explained(all []model.Finding) []string {
	var pkgs []string
	for _, x := range all {
		if x.Rule != directive && !slices.Contains(pkgs, x.Pkg) {
			pkgs = append(pkgs, x.Pkg)
		}
	}
	return pkgs
}
