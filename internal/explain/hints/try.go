package hints

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// A draft is a finding whose suggestions have not been tried.
type draft struct {
	f      finding
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
	// edits have no newlines, so that lines stay where they are, but at the end
	// of a file. Where there are none, nothing can be tried, which is said when
	// none of the others holds.
	edits []model.Edit
	// check reads the notes of the compile with the edits: what the compiler
	// says there, and whether that is what was hoped for.
	check func(n *escape.Notes) (said string, ok bool)
	tried string
}

func (d *draft) finding() (finding, bool) {
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
	edits := make(map[string][]model.Edit)
	var pkgs []string
	for _, d := range batch {
		pkgs = append(pkgs, d.in.pkg)
		for _, e := range d.alts[d.next].edits {
			edits[e.File] = append(edits[e.File], e)
			pkgs = append(pkgs, s.tree.file(e.File).pkg)
		}
	}
	layer := gocmd.Layer{Dir: dir}
	for of, es := range edits {
		f := s.tree.file(of)
		// Of two edits that overlap, the notes will say that the second did nothing.
		if err := layer.Put(f.Path, edit.Must(f.Src, edit.Disjoint(es))); err != nil {
			return nil, err
		}
	}
	undo, err := s.Go.ExtendOverlay(filepath.Join(dir, "overlay.json"), layer.Replace)
	if err != nil {
		return nil, err
	}
	defer undo()
	slices.Sort(pkgs)
	pkgs = slices.Compact(pkgs)
	return escape.Take(ctx, s.Go, escape.Config{Dir: dir, Root: s.Root, Patterns: pkgs, Pkgs: pkgs})
}
