package guard

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/model"
)

// An Inspected is what reading a change showed, before anything of it ran.
type Inspected struct {
	Suspicions []model.Suspicion
	// States is new memory that lives across calls; Retained and Instances are
	// left to what runs it.
	States []model.State
	// API is the check "api", and Added what the change adds to the API.
	API      model.Check
	APIs     []model.Suspicion // of kind api: one for each incompatible change
	Warnings []model.Warning
	// Incomplete is why the change could not be read as a whole, "" when it
	// was: a candidate that does not type-check. Broken is where it does not.
	Incomplete string
	Broken     []model.Pos
	Differs    bool // some declaration does
}

// Refused returns the suspicions that the allowed kinds do not cover. Frozen
// ground, detection, counting and precomputed answers are refused always.
func (in *Inspected) Refused(allow []model.SuspicionKind) []model.Suspicion {
	var out []model.Suspicion
	for _, s := range slices.Concat(in.Suspicions, in.APIs) {
		if !allowable(s.Kind) || !slices.Contains(allow, s.Kind) {
			out = append(out, s)
		}
	}
	return out
}

// Inspect reads a change and names what in it looks as if it wins the
// benchmark and not the work. An error means that the base could not be read.
// Where the text alone is refused, nothing else is read: to load the packages
// runs the C compiler on a preamble, which may include any file of the user.
func Inspect(ctx context.Context, c Change) (*Inspected, error) {
	if in := (&Inspected{Suspicions: c.ground(), API: model.Check{Name: "api", Skipped: "the change was refused by its text"}}); len(in.Refused(c.Allow)) > 0 {
		return in, nil
	}
	base, err := loadBase(ctx, c)
	if err != nil {
		return nil, err
	}
	return inspect(ctx, c, base)
}

// A base is the side that many changes are compared with.
type base struct {
	*program
	near []string // import paths of what the changed packages import, in the module
}

func loadBase(ctx context.Context, c Change) (*base, error) {
	dirs := make(map[string]bool)
	for _, f := range c.sources() {
		if c.Before[f] != nil {
			dirs[path.Dir(f)] = true
		}
	}
	patterns, err := patternsOf(c, dirs)
	if err != nil {
		return nil, err
	}
	b := &base{}
	if len(patterns) > 0 {
		if b.near, err = closure(ctx, c, patterns); err != nil {
			return nil, err
		}
	}
	if b.program, err = load(ctx, c, c.Before, b.near); err != nil {
		return nil, err
	}
	if b.broken != nil {
		return nil, fmt.Errorf("the base does not compile: %w; make it compile and try again", b.broken)
	}
	return b, nil
}

func inspect(ctx context.Context, c Change, b *base) (*Inspected, error) {
	in := &Inspected{Suspicions: c.ground(), API: model.Check{Name: "api", OK: true}}
	if len(c.sources()) == 0 {
		return in, nil
	}
	near := slices.Clone(b.near)
	for _, imp := range imported(c.After, b.module) {
		if b.module != "" && !slices.Contains(near, imp) {
			more, err := closure(ctx, c, []string{imp})
			if err != nil {
				return nil, err
			}
			near = append(near, more...)
		}
	}
	cand, err := load(ctx, c, c.After, near)
	if err != nil {
		return nil, err
	}
	if cand.broken != nil {
		in.Incomplete, in.Broken = cand.broken.Error(), cand.brokenAt
	}
	known, err := judges(c, b.program)
	if err != nil {
		return nil, err
	}
	p := newPair(c, b.program, cand, known)
	p.all()
	in.Suspicions = append(in.Suspicions, p.found...)
	in.States = p.states
	in.Differs = slices.ContainsFunc(cand.sorted(), p.differs)
	in.Warnings = append(in.Warnings, p.obsolete()...)
	p.api(in)
	return in, nil
}

// ground lists the suspicions of kinds frozen and directive, which take no go
// command to find.
func (c Change) ground() []model.Suspicion {
	var out []model.Suspicion
	for _, f := range c.files() {
		out = append(out, ground(f, c.Before[f], c.After[f])...)
		if why := onDisk(c.Root, f, c.Before[f] == nil); why != "" {
			out = append(out, suspect(model.SuspectFrozen, model.Pos{File: f, Line: 1}, why, ""))
		}
	}
	return out
}

// all runs every check on the candidate.
func (p *pair) all() {
	p.embedded()
	t, c := newTaint(p), newCopies(p)
	for _, u := range p.cand.sorted() {
		if !p.differs(u) {
			continue
		}
		p.uses(u)
		precomputed{p}.literals(u)
		p.meanings(u)
		losses{p}.safeguards(u)
		c.gone(u)
		setups{p}.setup(u)
		p.counts(u, t)
		precomputed{p}.exact(u)
	}
	losses{p}.unguarded()
	states{p}.newState()
}

// embedded names changed files that the program embeds: they are data.
func (p *pair) embedded() {
	for _, side := range []*program{p.base, p.cand} {
		for _, lp := range side.pkgs {
			for _, at := range lp.EmbedFiles {
				if f := side.rel(at); slices.Contains(p.files(), f) {
					p.addAt(model.SuspectFrozen, model.Pos{File: f, Line: 1}, f+" is embedded into the program", "")
				}
			}
		}
	}
}

// notComparable ends what apidiff says about a struct to which a slice, a map or a
// function was added. Go's own promise of compatibility leaves room for that,
// and a buffer in a struct is what many good changes consist of: a warning.
const notComparable = "old is comparable, new is not"

// api compares the exported API of each changed package, in apidiff's words.
func (p *pair) api(in *Inspected) {
	for _, old := range p.base.pkgs {
		if !p.base.changed[old.PkgPath] || old.Name == "main" {
			continue
		}
		i := slices.IndexFunc(p.cand.pkgs, func(q *packages.Package) bool { return q.PkgPath == old.PkgPath })
		if i < 0 {
			in.apiDiffers(old.PkgPath, "the package is gone", p.files()[0])
			continue
		}
		for _, ch := range apidiff.Changes(old.Types, p.cand.pkgs[i].Types).Changes {
			if ch.Compatible || strings.HasSuffix(ch.Message, notComparable) {
				in.Warnings = append(in.Warnings, milder(old.PkgPath, ch))
				continue
			}
			in.apiDiffers(old.PkgPath, ch.Message, p.fileOf(old.PkgPath))
		}
	}
}

// milder is the warning about a change to the API that is let through.
func milder(pkg string, ch apidiff.Change) model.Warning {
	if ch.Compatible {
		return model.Warning{
			Seen:  pkg + ": exported API grows: " + ch.Message,
			Cause: "what is exported once has to be kept",
			Try:   "an unexported name, unless others are meant to use it",
		}
	}
	return model.Warning{
		Seen:  pkg + ": " + ch.Message,
		Cause: "a field was added that == cannot compare",
		Try:   "a pointer to what holds it, if callers compare such values or use them as keys",
	}
}

// fileOf returns a changed file of a package.
func (p *pair) fileOf(pkg string) string {
	for _, u := range p.cand.sorted() {
		if u.pkg.PkgPath == pkg && p.differs(u) {
			return p.cand.pos(u.nodes[0].Pos()).File
		}
	}
	return p.files()[0]
}

func (in *Inspected) apiDiffers(pkg, message, file string) {
	text := pkg + ": " + message
	if isInternal(pkg) {
		text += " (an internal package: only this module can notice)"
	}
	in.API.OK = false
	if in.API.Detail != "" {
		in.API.Detail += "\n"
	}
	in.API.Detail += text
	in.APIs = append(in.APIs, suspect(model.SuspectAPI, model.Pos{File: file, Line: 1}, text, ""))
}

func isInternal(pkg string) bool {
	return slices.Contains(strings.Split(pkg, "/"), "internal")
}
