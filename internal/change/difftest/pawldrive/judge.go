package pawldrive

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	diffResult      = "result"
	diffError       = "error"
	diffText        = "error text"
	diffNil         = "nilness"
	diffBeside      = "beside an error"
	diffPanic       = "panic"
	diffArgument    = "argument"
	diffAliasing    = "aliasing"
	diffLeak        = "leak"
	diffCalls       = "calls"
	diffHang        = "hang"
	diffGoroutines  = "goroutines"
	diffDescriptors = "descriptors"
	diffHeap        = "heap"
)

// compare lists how the trace of the candidate differs from the base's.
func (f *function) compare(sc *script, b, c *trace) (out []diff) {
	for i := range b.steps {
		if i >= len(c.steps) {
			break
		}
		found := slices.DeleteFunc(f.compareCall(sc.steps[i], b, c, i), func(x diff) bool { return f.ignores(sc, x.part) })
		for j := range found {
			found[j].step = i
		}
		out = append(out, found...)
		if consequential(found) || !b.steps[i].normal() {
			return out
		}
	}
	for i := range b.later {
		if i < len(c.later) && b.later[i] == nil && c.later[i] != nil {
			was, is := c.later[i].texts()
			out = append(out, diff{kind: diffAliasing, part: "memory returned earlier", step: i, a: "stays " + was, b: "changes later to " + is})
			break
		}
	}
	return out
}

// consequential reports whether the calls after these differences may differ
// because of them alone. A receiver's fields often differ in what nobody reads.
func consequential(found []diff) bool {
	return slices.ContainsFunc(found, func(x diff) bool { return x.part != "receiver" && x.part != "receiver"+internalState })
}

func (f *function) compareCall(in *input, bt, ct *trace, i int) (out []diff) {
	b, c := bt.steps[i], ct.steps[i]
	switch {
	case b.hung:
		return nil
	case c.hung:
		return []diff{{kind: diffHang, part: "the call", step: i, a: b.ended(), b: c.ended()}}
	case b.panics && b.runtime && c.normal() && f.internal():
		f.notes["inputs on which the base fails, and which only the candidate's own package calls it with"] = true
		return nil
	case b.exits != c.exits || b.panics != c.panics:
		return []diff{{kind: diffPanic, part: "the call", step: i, a: b.ended(), b: c.ended()}}
	case b.exits || b.panics && b.runtime && in.generated:
		return nil
	case b.panics && b.text == panicPassed && c.text == panicPassed:
		return f.compareValues(nil, b.args, nil, c.args, b, c)
	case b.panics && (b.runtime != c.runtime || !b.runtime && !alike(b.text, c.text)):
		return []diff{{kind: diffPanic, part: "the panic's value", step: i, a: b.ended(), b: c.ended()}}
	case b.panics:
		return nil
	}
	br, ba, cr, ca := b.results, b.args, c.results, c.args
	if len(bt.snaps) > i && len(ct.snaps) > i { // as they were right after the call
		n, m := len(br), len(cr)
		br, ba = bt.snaps[i][:n], bt.snaps[i][n:]
		cr, ca = ct.snaps[i][:m], ct.snaps[i][m:]
	}
	return f.compareValues(br, ba, cr, ca, b, c)
}

// internal reports whether only its own package calls a function: what that never
// calls it with need not be the same.
func (f *function) internal() bool {
	name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
	first, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsUpper(first)
}

func (f *function) compareValues(br, ba, cr, ca []any, b, c *outcome) (out []diff) {
	d := newDiffer(f)
	for i := range br {
		if i >= len(cr) {
			break
		}
		part := fmt.Sprintf("result %d", i)
		d.loose = f.loose[part] || f.loose[part+internalState]
		m := d.any(br[i], cr[i])
		if m == nil {
			continue
		}
		kind := diffResult
		switch {
		case m.soft != "":
			kind = m.soft
		case m.err:
			kind = diffError
		case failedBoth(br, cr):
			kind = diffBeside
		case hidden(m.path):
			part += internalState
		}
		x, y := m.texts()
		out = append(out, diff{kind: kind, part: part, a: x, b: y})
	}
	for i := range ba {
		if i >= len(ca) {
			break
		}
		part := f.param(i)
		d.loose = f.loose[part] || f.loose[part+internalState]
		if m := d.any(ba[i], ca[i]); m != nil {
			x, y := m.texts()
			switch {
			case m.lock: // also where the rest varies in the base
				part += ", a lock"
			case hidden(m.path):
				part += internalState
			}
			kind := diffArgument
			if m.soft != "" {
				kind = m.soft
			}
			out = append(out, diff{kind: kind, part: part, a: x, b: y})
		}
	}
	return slices.Concat(out, f.compareFuncs(b.calls, c.calls), f.compareShares(b, c))
}

// failedBoth reports whether both sides return an error, as the last result.
// What stands beside one means something to few callers.
func failedBoth(br, cr []any) bool {
	if len(br) == 0 || len(br) != len(cr) {
		return false
	}
	x, ok := br[len(br)-1].(error)
	y, ok2 := cr[len(cr)-1].(error)
	return ok && ok2 && x != nil && y != nil
}

// internalState ends the part of a difference in a field of a result, the receiver, or
// an argument that only its own package sees. It is what a method that returns
// nothing does; it can also be what nobody reads.
const internalState = ", internal state"

// hidden reports whether a path begins with a field that is not exported.
func hidden(path string) bool {
	name := strings.TrimPrefix(path, ".")
	return name != path && (name == "" || name[0] < 'A' || name[0] > 'Z')
}

// param names an argument: "receiver", "argument 0 (p)".
func (f *function) param(i int) string {
	if i == givenBefore-1 {
		return "a method that is called from what was passed in"
	}
	if i == heldFunc {
		return "a function that was passed in before"
	}
	if i >= givenBefore {
		return "a function that the receiver was given before"
	}
	if f.Receiver {
		if i == 0 {
			return "receiver"
		}
		i--
	}
	name := ""
	if j := i + b2i(f.Receiver); j < len(f.Params) {
		name = f.Params[j]
	}
	return fmt.Sprintf("argument %d (%s)", i, name)
}

func b2i(b bool) int { return int(b2u(b)) }

func (f *function) compareFuncs(b, c *calls) []diff {
	if b == nil || c == nil {
		return nil
	}
	for p := range b.relaxed {
		f.notes["how often the comparison "+f.param(p)+" is asked"] = true
	}
	for i := 0; i < max(len(b.log), len(c.log)); i++ {
		if i >= len(b.log) || i >= len(c.log) {
			one := slices.Concat(b.log, c.log)[0]
			return []diff{{kind: diffCalls, part: f.param(one.param), a: fmt.Sprintf("%d calls", b.total), b: fmt.Sprintf("%d calls", c.total)}}
		}
		x, y := b.log[i], c.log[i]
		if x.param != y.param {
			return []diff{{kind: diffCalls, part: f.param(x.param), a: fmt.Sprintf("call %d is of %s", i, f.param(x.param)), b: "of " + f.param(y.param)}}
		}
		for j := range x.args {
			if j >= len(y.args) {
				break
			}
			if m := newDiffer(f).any(x.args[j], y.args[j]); m != nil {
				s, t := m.texts()
				at := fmt.Sprintf("call %d gets ", i)
				return []diff{{kind: diffCalls, part: f.param(x.param), a: at + s, b: at + t}}
			}
		}
	}
	return nil
}
