package attempt

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// Together is what changes that stand on one another, all of them to be kept, are as
// one: from the version below the first to that of the last. Prove shows the rest of all of
// them at once. What it has found is in each of them then, and the outcome of the whole says
// whether all passed; it does not say which did not.
func Together(parts []*Attempt) *Attempt {
	first, last := parts[0], parts[len(parts)-1]
	t := new(Attempt).of(subject{
		Attempt: model.Attempt{Outcome: model.Kept, Time: time.Now().UTC()},
		edited:  edited{m: first.m, before: make(map[string][]byte), After: make(map[string][]byte)},
		Base:    first.Base, Next: last.Next, p: last.p, number: last.number, policy: together(),
	})
	t.parts = parts
	for _, part := range parts {
		for file, text := range part.before {
			if _, ok := t.before[file]; !ok {
				t.before[file] = text
			}
		}
		maps.Copy(t.After, part.After)
		for _, pkg := range part.pkgs { // as the last lists it
			t.pkgs = slices.DeleteFunc(t.pkgs, func(p gocmd.Package) bool { return p.ImportPath == pkg.ImportPath })
			t.pkgs = append(t.pkgs, pkg)
		}
		for _, p := range part.jury().judges() {
			if !slices.ContainsFunc(t.policy.judges, func(q model.Plan) bool { return q.Benchmark == p.Benchmark }) {
				t.policy.judges = append(t.policy.judges, p)
			}
		}
	}
	return t
}

// together is what Own shows of a change that has gained, of several.
func together() Policy {
	return Policy{
		inTree: []check{
			{"inspection", (*Attempt).inspectEach},
			{"builds of what shows its behaviour", (*Attempt).gather},
		},
		beside: []check{
			{"tests", (*Attempt).passes},
			{"tests with the race detector", (*Attempt).race},
			{"behaviour", (*Attempt).behaveTogether},
			{"lines that the tests run", (*Attempt).linesTogether},
			{"worth in production", each((*Attempt).worth)},
		},
		last:     sparing(),
		open:     unknown,
		lets:     shown(),
		profiled: true,
	}
}

// each is a check of each part.
func each(run func(*Attempt, context.Context) (*refusal, error)) func(*Attempt, context.Context) (*refusal, error) {
	return func(t *Attempt, ctx context.Context) (*refusal, error) {
		for _, part := range t.parts {
			if r, err := run(part, ctx); r != nil || err != nil {
				return r, err
			}
		}
		return nil, nil
	}
}

// inspectEach inspects each part, while what gather needs is built.
func (t *Attempt) inspectEach(ctx context.Context) (*refusal, error) {
	if t.m.Beside() {
		t.resume(ctx)
	}
	return each((*Attempt).inspect)(t, ctx)
}

// linesTogether is lines of each part.
func (t *Attempt) linesTogether(ctx context.Context) (*refusal, error) {
	covers, late := t.coverage(ctx)
	for i, part := range t.parts {
		part.Uncompared = append(part.Uncompared, part.proof.unrun(covers, late, edits(t.parts[i+1:]))...)
	}
	return nil, nil
}

// behaveTogether is behave of the whole. Each part takes over what was found of the functions
// that it changes, and has to pass by that alone.
func (t *Attempt) behaveTogether(ctx context.Context) (*refusal, error) {
	start := time.Now()
	notes, err := t.drive(ctx)
	if err != nil {
		return nil, err // alone, each is told why
	}
	took := time.Since(start).Seconds()
	whole := model.Attempt{Driven: t.Driven, States: t.States}
	for _, part := range slices.Backward(t.parts) {
		whole.States = merge(part.States, whole.States)
	}
	if c := driven(&whole, t.p.Allow, notes); c.Detail != "" {
		return t.add(c), nil
	}
	for i, part := range t.parts {
		above := edits(t.parts[i+1:])
		part.Checks = append(part.Checks, t.Checks...)
		part.Uncompared = append(part.Uncompared, notes...)
		part.Driven = part.own(t.Driven, above)
		for _, d := range part.Driven {
			for _, u := range d.Uncompared {
				part.Uncompared = append(part.Uncompared, d.Func+": "+u)
			}
		}
		part.States = states(part.States, t.States)
		c := driven(&part.Attempt, t.p.Allow, notes)
		c.Seconds = took
		if r := part.add(c); r != nil {
			return r, nil
		}
		if !part.Compared() {
			return &refusal{uncompared, fmt.Sprintf("%s was not driven apart from the others", part.Change.Title)}, nil
		}
		if why := unjudged(part.Driven, t.proof.driver.Judges()); why != "" {
			return &refusal{uncompared, why}, nil
		}
	}
	return nil, nil
}

// Share notes in each part that it was proven with others, once it was, in the first what
// that took, and in the last what other benchmarks have shown of all of them.
func (t *Attempt) Share() {
	for _, part := range t.parts {
		part.Together = len(t.parts)
	}
	first := t.parts[0]
	first.Steps, first.Seconds = append(first.Steps, t.Steps...), first.Seconds+t.Seconds
	last := t.parts[len(t.parts)-1]
	last.Verdicts, last.Counts = append(last.Verdicts, t.Verdicts...), append(last.Counts, t.Counts...)
	last.Warnings = append(last.Warnings, t.Warnings...)
}

// states are those that reading a change has found, with what running has shown of them.
func states(read, ran []model.State) []model.State {
	known := slices.DeleteFunc(slices.Clone(ran), func(r model.State) bool {
		return !slices.ContainsFunc(read, func(x model.State) bool { return x.Name == r.Name })
	})
	return merge(read, known)
}

// own are the driven functions that a change touches, as the changes above it have moved
// them.
func (e *edited) own(all []model.Driven, above []*edited) (out []model.Driven) {
	for _, d := range all {
		for file, spans := range e.touched() {
			if d.At.File == file && slices.ContainsFunc(moved(spans, file, above), func(s span) bool { return s.from <= d.At.Line && d.At.Line <= s.to }) {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

// touched are the lines of the functions that a change touches, by file, as they are with
// it.
func (e *edited) touched() map[string][]span {
	out := make(map[string][]span)
	for file := range e.before {
		all := decls(e.After[file])
		for _, s := range written(editsOf(e.edits, file), e.before[file]) {
			for _, d := range all {
				if _, ok := d.Decl.(*ast.FuncDecl); ok && s.from <= d.to && d.from <= s.to && !slices.Contains(out[file], d.span) {
					out[file] = append(out[file], d.span)
				}
			}
		}
	}
	return out
}

// Apart reports whether a change touches no function that t touches: a change of the version
// with t and the changes above it.
func (t *Attempt) Apart(c model.Change, above []*Attempt) bool { return t.apart(c, edits(above)) }

func edits(attempts []*Attempt) (out []*edited) {
	for _, t := range attempts {
		out = append(out, &t.edited)
	}
	return out
}

func (e *edited) apart(c model.Change, above []*edited) bool {
	for file, spans := range e.touched() {
		src := e.After[file]
		for _, a := range above {
			if text, ok := a.After[file]; ok {
				src = text
			}
		}
		ours := moved(spans, file, above)
		for _, x := range editsOf(c.Edits, file) {
			from := 1 + bytes.Count(src[:min(x.Start, len(src))], []byte("\n"))
			to := from + bytes.Count(src[min(x.Start, len(src)):min(x.End, len(src))], []byte("\n"))
			if slices.ContainsFunc(ours, func(s span) bool { return s.from <= to && from <= s.to }) {
				return false
			}
		}
	}
	return true
}

// moved is where lines of a file are once changes above have been made, which do not touch
// them but may stand before them.
func moved(spans []span, file string, above []*edited) []span {
	for _, a := range above {
		text, ok := a.before[file]
		if !ok {
			continue
		}
		line := edit.Lines(text, editsOf(a.edits, file))
		var out []span
		for _, s := range spans {
			var now span
			for n := s.from; n <= s.to; n++ {
				if to, ok := line(n); ok && now.from == 0 {
					now = span{to, to}
				} else if ok {
					now.to = to
				}
			}
			if now.from > 0 {
				out = append(out, now)
			}
		}
		spans = out
	}
	return spans
}

// editsOf are the edits of one file.
func editsOf(edits []model.Edit, file string) []model.Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e model.Edit) bool { return e.File != file })
}
