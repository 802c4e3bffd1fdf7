package hints

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/escape"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A draft is a finding whose suggestions have not been tried.
type draft struct {
	f      Finding
	in     *file         // where the alternatives edit
	fd     *ast.FuncDecl // the same; alternatives in one function are not tried at once
	call   model.Pos     // of a dynamic call
	ways   ways          // to an allocation
	alts   []alternative
	needed bool // the finding stands only if one of the alternatives does
	next   int  // in alts
	chosen *alternative
}

// An alternative is one suggestion, as text and as an edit to compile.
type alternative struct {
	text  string // added to the finding's
	try   string
	holds []string
	edits []edit // none: cannot be tried, said where none of the others holds
	// check reads the notes of the compile with the edits: what the compiler
	// says there, and whether that is what was hoped for.
	check func(n *escape.Notes) (said string, ok bool)
	tried string
}

// An edit replaces the bytes [start, end) of a file. The text has no newlines,
// so that lines stay where they are, except at the end of the file.
type edit struct {
	f          *file
	start, end int
	text       string
}

func insert(f *file, at token.Pos, text string) edit {
	off := f.offset(at)
	return edit{f, off, off, text}
}

func (d *draft) finding() (Finding, bool) {
	chosen := d.chosen
	if chosen == nil && !d.needed {
		for i := range d.alts {
			if len(d.alts[i].edits) == 0 {
				chosen = &d.alts[i]
				break
			}
		}
	}
	if chosen == nil {
		return d.f, false
	}
	f := d.f
	f.Text += chosen.text
	f.Try, f.Holds, f.Tried = chosen.try, chosen.holds, chosen.tried
	return f, true
}

// maxRounds bounds the compiles: those alternatives that are left are not
// tried.
const maxRounds = 6

// try compiles the alternatives, as many at once as do not meddle with each
// other, and chooses for each draft the first that does what it should.
func (s *search) try(ctx context.Context, drafts []*draft) error {
	for range maxRounds {
		var batch []*draft
		busy := make(map[*ast.FuncDecl]bool)
		for _, d := range drafts {
			for d.next < len(d.alts) && len(d.alts[d.next].edits) == 0 {
				d.next++
			}
			if d.chosen == nil && d.next < len(d.alts) && !busy[d.fd] {
				busy[d.fd] = true
				batch = append(batch, d)
			}
		}
		if len(batch) == 0 {
			return nil
		}
		if err := s.tryBatch(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) tryBatch(ctx context.Context, batch []*draft) error {
	notes, err := s.compile(ctx, batch)
	var failed *gocmd.Error
	switch {
	case err == nil:
		for _, d := range batch {
			a := &d.alts[d.next]
			d.next++
			if said, ok := a.check(notes); ok {
				a.tried, d.chosen = said, a
			}
		}
		return nil
	case ctx.Err() != nil || !errors.As(err, &failed):
		return err
	case len(batch) == 1:
		batch[0].next++ // it does not compile, so nothing is known of it
		return nil
	}
	half := len(batch) / 2
	if err := s.tryBatch(ctx, batch[:half]); err != nil {
		return err
	}
	return s.tryBatch(ctx, batch[half:])
}

// compile takes the compiler's notes of the tree with the next alternatives of
// a batch.
func (s *search) compile(ctx context.Context, batch []*draft) (*escape.Notes, error) {
	dir, err := os.MkdirTemp(s.Scratch, "try-")
	if err != nil {
		return nil, fmt.Errorf("making room for an overlay: %w", err)
	}
	defer os.RemoveAll(dir)
	edits := make(map[*file][]edit)
	var pkgs []string
	for _, d := range batch {
		pkgs = append(pkgs, d.in.pkg)
		for _, e := range d.alts[d.next].edits {
			edits[e.f] = append(edits[e.f], e)
			pkgs = append(pkgs, e.f.pkg)
		}
	}
	replace := make(map[string]string)
	for f, es := range edits {
		name := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(name, apply(f.src, es), 0o600); err != nil {
			return nil, fmt.Errorf("writing an overlay: %w", err)
		}
		replace[f.path] = name
	}
	undo, err := s.Go.ExtendOverlay(filepath.Join(dir, "overlay.json"), replace)
	if err != nil {
		return nil, err
	}
	defer undo()
	slices.Sort(pkgs)
	pkgs = slices.Compact(pkgs)
	return escape.Take(ctx, s.Go, escape.Config{Dir: dir, Root: s.Root, Patterns: pkgs, Pkgs: pkgs})
}

func apply(src []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue // two that overlap: the notes will say that the second did nothing
		}
		out = append(append(out, src[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}

// moved returns where a place is after edits.
func moved(f *file, at token.Pos, edits []edit) model.Pos {
	p := model.Pos{File: f.name, Line: f.line(at), Col: f.col(at)}
	off := f.offset(at)
	begin := off - (p.Col - 1)
	for _, e := range edits {
		if e.f == f && begin <= e.start && e.end <= off {
			p.Col += len(e.text) - (e.end - e.start)
		}
	}
	return p
}
