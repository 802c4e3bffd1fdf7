package rank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// An origin is what several statements of a function may cost for: a function outside the module that
// they call, or one way of the compiler's for a value to escape.
type origin struct {
	bm       model.Benchmark
	resource model.Resource
	fn, what string
}

// originOf returns where the cost of a target comes from; false where it has none that others could share, as what the
// runtime does for an operator is about the operands, and where the line spends its CPU time on several things.
func originOf(t model.Target) (origin, bool) {
	what := calledAt(t)
	switch {
	case what == "" && t.Reason.Kind == model.ReasonEscape:
		what, _, _ = strings.Cut(t.Reason.Text, ";")
	case IsRuntime(what), t.Resource != model.Allocs && t.Reason.Kind != model.ReasonLibrary:
		what = ""
	}
	return origin{t.Benchmark, t.Resource, t.Func, what}, what != ""
}

// calledAt is the function that a target's line calls for what it costs; "" where it is the line's own.
func calledAt(t model.Target) string {
	i := slices.IndexFunc(t.Stack, func(f model.Frame) bool { return f.Pos() == t.At && f.Func == t.Func })
	if i <= 0 {
		return ""
	}
	return t.Stack[i-1].Func
}

// join gives what statements of a function cost for one cause together to the first of them, which says so.
func (in Input) join(targets []model.Target, claims map[claimed]claim, r *reader) {
	groups, bytes := make(map[origin][]int), in.bytes()
	for i, t := range targets {
		if c, ok := originOf(t); ok && t.At.File != "" && !isTest(t.At.File) {
			groups[c] = append(groups[c], i)
		}
	}
	joint := make(map[claimed]float64)
	for c, members := range groups {
		first := slices.MaxFunc(members, func(i, j int) int {
			return compareClaims(claims[r.claimedBy(targets[j])], claims[r.claimedBy(targets[i])])
		})
		statements, sum, share := make(map[claimed]bool), 0.0, 0.0
		for _, i := range members {
			t := targets[i]
			statements[r.claimedBy(t)] = true
			share += t.Share
			sum += t.CPUShare
			if t.Resource == model.Allocs {
				sum += objectsWeight*t.Share + bytesWeight*t.Bytes/max(bytes[t.Benchmark], 1)
			}
		}
		if len(statements) < 2 {
			continue
		}
		lead := r.claimedBy(targets[first])
		joint[lead] = max(joint[lead], sum)
		targets[first].Reason.Text += fmt.Sprintf("; %d statements of %s have that cause, and cost %.0f %% together",
			len(statements), words.Symbol(c.fn), 100*share)
	}
	for lead, sum := range joint {
		c := claims[lead]
		c.joint = sum
		claims[lead] = c
	}
}
