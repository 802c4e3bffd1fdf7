package attempt

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// mostSplits is how often what is left of a change is read again.
const mostSplits = 4

// Split divides a change that Screen has refused for what a person may allow into
// the part that needs nobody's consent, and the rest. It takes out the declarations
// with what was refused, and those that do not compile without them, or else the
// whole files; ok is false where nothing is left that does anything. The tree holds base.
func (p *Prover) Split(ctx context.Context, refused model.Attempt) (part model.Change, rest model.Attempt, ok bool, err error) {
	if len(refused.Needs) == 0 {
		return part, rest, false, nil
	}
	t, err := p.alone(refused.Change)
	if err != nil {
		return part, rest, false, err
	}
	at := places(refused.Suspicions, p.Allow)
	for range mostSplits {
		c := t.Change
		if c.Edits = t.without(at); len(c.Edits) == 0 || len(c.Edits) == len(t.Change.Edits) {
			return part, rest, false, nil
		}
		if t, err = p.alone(c); err != nil {
			return part, rest, false, err
		}
		in, err := t.read(ctx)
		if err != nil {
			return part, rest, false, err
		}
		found := in.Refused(p.Allow)
		switch {
		case len(in.Broken) > 0:
			at = in.Broken
		case in.Incomplete != "", len(found) == 0 && !in.Differs:
			return part, rest, false, nil
		case len(found) > 0:
			at = places(found, nil)
		default:
			return p.divided(refused, c.Edits)
		}
	}
	return part, rest, false, nil
}

// divided makes a change of the edits that need no consent, and leaves the others
// to the attempt that was refused.
func (p *Prover) divided(refused model.Attempt, left []model.Edit) (part model.Change, rest model.Attempt, ok bool, err error) {
	part, rest = refused.Change, refused
	part.Edits = left
	part.ID = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, refused.Change.ID, left)))[:len(refused.Change.ID)]
	part.Title += ", what of it needs no consent"
	rest.Change.Title += ", the rest"
	rest.Change.Edits = slices.DeleteFunc(slices.Clone(refused.Change.Edits), func(e model.Edit) bool { return slices.Contains(left, e) })
	rest.Diff, err = p.M.Snap.Diff(rest.Change.Edits)
	return part, rest, err == nil, err
}

// alone looks at what a change makes of the tree, which stays as it is.
func (p *Prover) alone(c model.Change) (*Attempt, error) {
	t := p.begin(c, Stranger(Reached{}), time.Now())
	if err := t.apply(c); err != nil {
		return t, err
	}
	if err := t.undo(); err != nil {
		return t, errors.Join(errCopy, err)
	}
	return t, nil
}

// places returns where suspicions are, but for kinds that are let through.
func places(found []model.Suspicion, but []model.SuspicionKind) (at []model.Pos) {
	for _, x := range found {
		if !slices.Contains(but, x.Kind) {
			at = append(at, x.At)
		}
	}
	return at
}

// without returns the edits of a change but for those of the declarations that
// some places of the candidate are in, or, where there are none, of the files.
func (t *Attempt) without(at []model.Pos) []model.Edit {
	var inDecl, inFile []model.Edit
	for _, file := range EditedFiles(t.Change.Edits) {
		of := slices.DeleteFunc(slices.Clone(t.Change.Edits), func(e model.Edit) bool { return e.File != file })
		slices.SortFunc(of, func(a, b model.Edit) int { return cmp.Compare(a.Start, b.Start) })
		lines := written(of, t.before[file])
		for _, x := range at {
			if x.File != file {
				continue
			}
			inFile = append(inFile, of...)
			around := declared(t.After[file], x.Line)
			for i, l := range lines {
				if l.from <= around.to && around.from <= l.to {
					inDecl = append(inDecl, of[i])
				}
			}
		}
	}
	if len(inDecl) == 0 {
		inDecl = inFile
	}
	return slices.DeleteFunc(slices.Clone(t.Change.Edits), func(e model.Edit) bool { return slices.Contains(inDecl, e) })
}

// declared returns the lines of the declaration that a line is in, or that line.
func declared(src []byte, line int) span {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return span{line, line}
	}
	for _, d := range syntax.Decls {
		from, to := fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line
		if from <= line && line <= to {
			return span{from, to}
		}
	}
	return span{line, line}
}
