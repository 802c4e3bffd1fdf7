package escape

import (
	"maps"
	"path"
	"slices"
)

// alike is the part of the lines of two functions, of those of both together, that must be
// the same for one to be the other under a new name. Somebody chose it.
const alike = 2.0 / 3

// renamed returns after with the functions that only have a new name, or a new receiver,
// counted as those that they were: functions of one directory whose name the other build
// lacks, and most of whose lines are the same.
func renamed(before, after *Notes) *Notes {
	old, now := before.functions(), after.functions()
	was := make(map[string]string)
	taken := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, same := old[name]; same {
			continue
		}
		best, most := "", alike
		for _, other := range slices.Sorted(maps.Keys(old)) {
			if _, still := now[other]; still || taken[other] || old[other].dir != now[name].dir {
				continue
			}
			if like := likeness(old[other].lines, now[name].lines); like >= most {
				best, most = other, like
			}
		}
		if best != "" {
			was[name], taken[best] = best, true
		}
	}
	copied := *after
	copied.was = was
	return &copied
}

// A body is a function's directory and the lines between its first and its last.
type body struct {
	dir   string
	lines []string
}

func (n *Notes) functions() map[string]body {
	out := make(map[string]body)
	for file, s := range n.sources {
		if s == nil {
			continue
		}
		for _, fn := range s.funcs {
			b := body{dir: path.Dir(file)}
			for line := fn.start + 1; line < fn.end; line++ {
				if text := s.line(line); text != "" {
					b.lines = append(b.lines, text)
				}
			}
			out[b.dir+"."+fn.name] = b
		}
	}
	return out
}

// likeness returns the part of the lines of two bodies that both have, from 0 to 1.
func likeness(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	count := make(map[string]int)
	for _, line := range a {
		count[line]++
	}
	both := 0
	for _, line := range b {
		if count[line] > 0 {
			count[line]--
			both++
		}
	}
	return float64(2*both) / float64(len(a)+len(b))
}
