package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// allocTime returns, for each way to an allocation, the share of CPU time
// spent in the allocator under it. Heap profiles leave out the runtime's
// frames at the inner end of a stack, so they are taken off here, too.
func allocTime(costs []model.Cost) map[string]float64 {
	out := make(map[string]float64)
	for _, c := range costs {
		i, allocates := 0, false
		for i < len(c.Stack) && isRuntime(c.Stack[i].Func) {
			allocates = allocates || strings.HasPrefix(c.Stack[i].Func, "runtime.mallocgc")
			i++
		}
		if allocates && i < len(c.Stack) {
			out[wayKey(c.Stack[i:])] += c.Share
		}
	}
	return out
}

func isRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") || strings.HasPrefix(fn, "internal/runtime/") || !strings.Contains(fn, ".")
}

// hotTargets returns the lines with the most CPU time: their own, and that of
// what they call outside the module.
func (in Input) hotTargets(bm model.Benchmark) []model.Target {
	type line struct {
		total  model.Cost
		most   float64
		leaves map[string]float64 // share of each function that the time is spent in
	}
	byLine := make(map[model.Pos]*line)
	for _, c := range in.CPU[bm] {
		f, ok := c.HomeFrame()
		if !ok || !f.Module {
			continue
		}
		l := byLine[f.Pos()]
		if l == nil {
			l = &line{total: c, most: c.PerOp, leaves: make(map[string]float64)}
			l.total.PerOp, l.total.Share = 0, 0
			byLine[f.Pos()] = l
		}
		l.leaves[c.Stack[0].Func] += c.Share
		if c.PerOp > l.most {
			l.total.Stack, l.total.Home, l.most = c.Stack, c.Home, c.PerOp
		}
		l.total.PerOp += c.PerOp
		l.total.Share += c.Share
	}
	var out []model.Target
	for _, l := range byLine {
		if l.total.Share < hotShare {
			continue
		}
		t := target(l.total)
		t.CPUShare, t.Ceiling = min(1, t.Share), min(1, t.Share)
		t.Reason = model.Reason{Kind: model.ReasonHot, Text: hotText(t, l.leaves)}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b model.Target) int {
		return cmp.Or(worth(a, b), cmp.Compare(a.At.String(), b.At.String()))
	})
	return out[:min(len(out), cmp.Or(in.HotLines, hotLines))]
}

func hotText(t model.Target, leaves map[string]float64) string {
	text := fmt.Sprintf("%.1f %% of the CPU time", 100*t.Share)
	top := ""
	for fn, share := range leaves {
		if top == "" || share > leaves[top] || share == leaves[top] && fn < top {
			top = fn
		}
	}
	if top != t.Func {
		text += fmt.Sprintf(", %.1f %% in %s", 100*leaves[top], shortFunc(top))
	}
	return text
}

// shortFunc takes the path and the type arguments off a symbol:
// "noise.(*T).M", "slices.Sort[…]".
func shortFunc(symbol string) string {
	head, _, generic := strings.Cut(symbol, "[")
	head = head[strings.LastIndexByte(head, '/')+1:]
	if generic {
		head += "[…]"
	}
	return head
}
