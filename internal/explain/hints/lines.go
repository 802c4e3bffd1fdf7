package hints

import (
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A line is one of a source file.
type line struct {
	file string
	n    int
}

func lineOf(f model.Frame) line { return line{f.File, f.Line} }

// lines are the shares of CPU time by line.
type lines struct {
	costs []model.Cost
	own   map[line]shares // spent on the line itself
	under map[line]shares // on it and below it; a stack counts once
}

func newLines(cpu map[model.Benchmark][]model.Cost) *lines {
	l := &lines{own: make(map[line]shares), under: make(map[line]shares)}
	for bm, costs := range cpu {
		for _, c := range costs {
			if len(c.Stack) == 0 {
				continue
			}
			c.Benchmark = bm
			l.costs = append(l.costs, c)
			add(l.own, lineOf(c.Stack[0]), bm, c.Share)
			seen := make(map[line]bool)
			for _, f := range c.Stack {
				if at := lineOf(f); !seen[at] {
					seen[at] = true
					add(l.under, at, bm, c.Share)
				}
			}
		}
	}
	return l
}

func add[K comparable](m map[K]shares, key K, bm model.Benchmark, share float64) {
	if m[key] == nil {
		m[key] = make(shares)
	}
	m[key][bm] += share
}

// mostUnder returns the greatest share of any benchmark on one of the lines
// from to to of a file.
func (l *lines) mostUnder(file string, from, to int) float64 {
	most := 0.0
	for n := from; n <= to; n++ {
		most = max(most, l.under[line{file, n}].most())
	}
	return most
}

// physical returns the index of the frame into whose code stack[i] was
// inlined, i itself when it was not.
func physical(stack []model.Frame, i int) int {
	for i < len(stack)-1 && stack[i].Inline {
		i++
	}
	return i
}

// chainAt returns the place of stack[i] and the calls it was inlined through.
func chainAt(stack []model.Frame, i int) []model.Pos {
	var chain []model.Pos
	for _, f := range stack[i : physical(stack, i)+1] {
		chain = append(chain, f.Pos())
	}
	return chain
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// inTree reports whether a name is relative to the root.
func inTree(file string) bool { return !filepath.IsAbs(file) && !strings.HasPrefix(file, "<") }

// declared returns the function's name as a declaration has it, "F" or
// "(*T).M", of a symbol such as "example.com/m/pkg.(*T[...]).M".
func declared(symbol string) string {
	symbol = words.WithoutTypeArgs(symbol)
	symbol = symbol[strings.LastIndexByte(symbol, '/')+1:]
	_, name, _ := strings.Cut(symbol, ".")
	return name
}

// lastName returns M of "pkg.(*T).M".
func lastName(symbol string) string {
	name := words.WithoutTypeArgs(symbol)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// short takes the path and the type arguments off a symbol: "pkg.(*T).M".
func short(symbol string) string {
	name := words.WithoutTypeArgs(symbol)
	return name[strings.LastIndexByte(name, '/')+1:]
}
