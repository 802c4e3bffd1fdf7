package guard

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Guard checks changes to one tree.
type Guard struct {
	Go      *gocmd.Go
	Timeout time.Duration // of one package's tests
	Short   bool          // tests are run with -short
	Skip    []string      // tests that are left out: they fail on the base for want of a network
	// Allow names kinds of suspicions that the user agreed to; Freeze looks at
	// directives only.
	Allow  []model.SuspicionKind
	vetted map[string]string
}

// New returns a Guard that runs tests in the module of g.
func New(g *gocmd.Go, timeout time.Duration) *Guard {
	return &Guard{Go: g, Timeout: timeout, vetted: make(map[string]string)}
}

// timed runs one check and adds how long it took.
func timed(name string, check func() (detail, skipped string, err error)) (model.Check, error) {
	start := time.Now()
	detail, skipped, err := check()
	return model.Check{
		Name: name, OK: detail == "" && skipped == "" && err == nil, Detail: detail, Skipped: skipped,
		Seconds: time.Since(start).Seconds(),
	}, err
}

// Freeze checks that no changed file is frozen. read returns a file of the
// base, or nil where there is none; after has the new contents.
func (g *Guard) Freeze(read func(file string) []byte, after map[string][]byte) model.Check {
	c, _ := timed("frozen", func() (string, string, error) {
		for _, file := range slices.Sorted(maps.Keys(after)) {
			for _, s := range ground(file, read(file), after[file]) {
				if !allowable(s.Kind) || !slices.Contains(g.Allow, s.Kind) {
					return s.Detail, "", nil
				}
			}
		}
		return "", "", nil
	})
	return c
}

// Types checks that packages compile, their tests included.
func (g *Guard) Types(ctx context.Context, pkgs []string) (model.Check, error) {
	return timed("types", func() (string, string, error) {
		args := []string{"list", "-test", "-export", "-e=false", "-f", "{{.ImportPath}}"}
		if name := g.Go.Overlay(); name != "" {
			args = append(args, "-overlay="+name) // these tests are built like this when they are run
		}
		_, err := g.Go.Run(ctx, gocmd.Build, append(args, pkgs...)...)
		return failure(err)
	})
}

// failure turns a go command that said no into a check's detail, and passes
// on any other error.
func failure(err error) (string, string, error) {
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return words.LastLines(ge.Output, 12), "", nil
	}
	return "", "", err
}

// VetBase remembers what vet says about packages of the base, so that only new
// findings count. What is remembered of a package stays.
func (g *Guard) VetBase(ctx context.Context, pkgs []string) error {
	for _, p := range pkgs {
		if _, ok := g.vetted[p]; ok {
			continue
		}
		said, err := g.vet(ctx, p)
		if err != nil {
			return err
		}
		g.vetted[p] = said
	}
	return nil
}

func (g *Guard) vet(ctx context.Context, pkg string) (string, error) {
	_, err := g.Go.Vet(ctx, []string{pkg})
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return ge.Output, nil
	}
	return "", err
}

// Vet checks that go vet says about each package only what it said of the base.
func (g *Guard) Vet(ctx context.Context, pkgs []string) (model.Check, error) {
	return timed("vet", func() (string, string, error) {
		for _, p := range pkgs {
			said, err := g.vet(ctx, p)
			if err != nil {
				return "", "", err
			}
			if fresh := newLines(g.vetted[p], said); len(fresh) > 0 {
				return strings.Join(fresh, "\n"), "", nil
			}
		}
		return "", "", nil
	})
}

var position = regexp.MustCompile(`:\d+(:\d+)?`)

// newLines returns the lines of now that before does not have, positions
// aside: an edit moves what stands below it.
func newLines(before, now string) []string {
	known := make(map[string]int)
	for l := range strings.Lines(before) {
		known[position.ReplaceAllString(l, "")]++
	}
	var fresh []string
	for l := range strings.Lines(now) {
		key := position.ReplaceAllString(l, "")
		if known[key] > 0 {
			known[key]--
			continue
		}
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			fresh = append(fresh, l)
		}
	}
	return fresh
}

// Inlining names the check of calls that are no longer inlined.
const Inlining = "inlining"

// Compiler compares the compiler's notes on both trees: a new escape in a
// function that is hot, off its paths to an error, or a call on a hot line
// that is not inlined any more.
func (g *Guard) Compiler(before, after *escape.Notes, hot func(model.Pos) bool) []model.Check {
	var escapes, inlines []escape.Change
	for _, c := range escape.Diff(before, after, hot) {
		switch {
		case !c.Hot: // what runs on the way to an error costs nothing that matters
		case c.Kind == escape.NewEscape && (grows(c.Text) || c.Again && copied(c.Text)):
			// Storage that grows is not allocated each time, and of the texts that
			// out += s makes in its place there is no note: the counts say how often.
			// So they do of a variable that has a copy in each branch now.
		case c.Kind == escape.NewEscape:
			escapes = append(escapes, c)
		case c.Kind == escape.LostInline:
			inlines = append(inlines, c)
		}
	}
	check := func(name string, found []escape.Change) model.Check {
		return model.Check{Name: name, OK: len(found) == 0, Detail: inLines(found)}
	}
	return []model.Check{check("escapes", escapes), check(Inlining, inlines)}
}

// inLines has a line for each text, with the first place that it is about, and how many others there are.
func inLines(found []escape.Change) string {
	var lines []string
	for i, c := range found {
		alike := func(o escape.Change) bool { return o.Kind == c.Kind && o.Text == c.Text }
		if slices.ContainsFunc(found[:i], alike) {
			continue
		}
		line := c.String()
		if more := len(slices.DeleteFunc(slices.Clone(found[i+1:]), func(o escape.Change) bool { return !alike(o) })); more > 0 {
			line += fmt.Sprintf(" (and %s)", words.Plural(more, "more place"))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// grows reports whether an escape is that of storage that grows: append, a text, or room for what append adds. That
// takes the place of several appends, and the compiler has a note on these only where they escape as well.
func grows(text string) bool {
	room := strings.HasPrefix(text, "make(") && strings.Contains(text, ", 0, ")
	return room || strings.HasPrefix(text, "append(") || strings.HasPrefix(text, "string(")
}

// copied reports whether an escape is that of a variable: where there was one, there may be one in each branch now.
func copied(text string) bool {
	name, ok := strings.CutSuffix(text, " escapes to heap")
	return ok && token.IsIdentifier(name)
}

// Inlines checks that the compiler has come to inline a function, when that is
// the point of the change.
func (g *Guard) Inlines(before, after *escape.Notes, d model.Declared) model.Check {
	c := model.Check{Name: "inlines"}
	text, could := before.CanInline(d)
	if could {
		c.Detail = "the compiler could inline " + d.Name + " before: " + text
		return c
	}
	if text, c.OK = after.CanInline(d); !c.OK {
		c.Detail = "the compiler still cannot inline " + d.Name + ": " + text
	}
	return c
}
