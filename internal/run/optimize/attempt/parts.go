package attempt

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// mostSplits is how often what is left of a change is read again.
const mostSplits = 4

// Split divides a change that Screen has refused for what a person may allow into
// the part that needs nobody's consent, and the rest; ok is false where nothing is
// left that does anything. The tree holds base.
func (p *Prover) Split(ctx context.Context, refused model.Attempt) (part model.Change, rest model.Attempt, ok bool, err error) {
	if len(refused.Needs) == 0 {
		return part, rest, false, nil
	}
	part, ok, err = p.divide(ctx, refused.Change, places(refused.Suspicions, p.Allow))
	if !ok || err != nil {
		return part, rest, false, err
	}
	part.Title += ", what of it needs no consent"
	rest = refused
	rest.Change.Title += ", the rest"
	rest.Change.Edits = slices.DeleteFunc(slices.Clone(refused.Change.Edits), func(e model.Edit) bool { return slices.Contains(part.Edits, e) })
	rest.Diff, err = p.M.Snap.Diff(rest.Change.Edits)
	return part, rest, err == nil, err
}

// Same returns the part of the change that was tried last without the functions
// that were seen to do something else than the base's; ok is false where that is
// not why it is not kept, or where no other function was compared. The tree holds base.
func (p *Prover) Same(ctx context.Context) (part model.Change, without []string, ok bool, err error) {
	t := p.last
	at, without := unlike(t.Attempt, p.Allow)
	if len(at) == 0 {
		return part, nil, false, nil
	}
	part, ok, err = p.divide(ctx, t.Change, at)
	part.Title += ", without " + strings.Join(without, ", ")
	return part, without, ok, err
}

// unlike returns where the functions are that a change was refused for, and their
// names, if others behaved as the base's.
func unlike(a model.Attempt, allow []model.SuspicionKind) (at []model.Pos, names []string) {
	failed := func(c model.Check) bool { return c.Name == BehaviourCheck && !c.OK && c.Skipped == "" }
	if !slices.ContainsFunc(a.Checks, failed) {
		return nil, nil
	}
	alike := false
	for _, d := range a.Driven {
		if refusedFor(d, allow) != nil {
			at, names = append(at, d.At), append(names, d.Func)
			continue
		}
		alike = alike || d.Pairs > 0
	}
	if !alike {
		return nil, nil
	}
	return at, names
}

// divide takes out of a change the declarations at some places of the candidate,
// what is refused without them, and what does not compile, or else the whole files.
func (p *Prover) divide(ctx context.Context, whole model.Change, at []model.Pos) (part model.Change, ok bool, err error) {
	t, err := p.alone(whole)
	if err != nil {
		return part, false, err
	}
	for range mostSplits {
		c := t.Change
		if c.Edits = t.without(at); len(c.Edits) == 0 || len(c.Edits) == len(t.Change.Edits) {
			return part, false, nil
		}
		if t, err = p.alone(c); err != nil {
			return part, false, err
		}
		in, err := t.read(ctx)
		if err != nil {
			return part, false, err
		}
		found := in.Refused(p.Allow)
		switch {
		case len(in.Broken) > 0:
			at = in.Broken
		case in.Incomplete != "", len(found) == 0 && !in.Differs:
			return part, false, nil
		case len(found) > 0:
			at = places(found, nil)
		default:
			part = whole
			part.Edits = c.Edits
			part.ID = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, whole.ID, c.Edits)))[:len(whole.ID)]
			return part, true, nil
		}
	}
	return part, false, nil
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
func (e *edited) without(at []model.Pos) []model.Edit {
	var inDecl, inFile []model.Edit
	for _, file := range EditedFiles(e.edits) {
		of := editsOf(e.edits, file)
		sorted.By(of, func(a, b model.Edit) int { return cmp.Compare(a.Start, b.Start) })
		lines := written(of, e.before[file])
		for _, x := range at {
			if x.File != file {
				continue
			}
			inFile = append(inFile, of...)
			around := declared(e.After[file], x.Line)
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
	return slices.DeleteFunc(slices.Clone(e.edits), func(x model.Edit) bool { return slices.Contains(inDecl, x) })
}

// declared returns the lines of the declaration that a line is in, or that line.
func declared(src []byte, line int) span {
	for _, d := range decls(src) {
		if d.from <= line && line <= d.to {
			return d.span
		}
	}
	return span{line, line}
}
