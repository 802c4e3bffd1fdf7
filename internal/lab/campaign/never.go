package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"math/rand/v2"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// mostStatements is how long a function that is never called may be.
const mostStatements = 33

// neverSource returns a function that is never called, of 1 to mostStatements
// statements. An init refers to it behind a condition that is never true,
// because the linker leaves out what nothing refers to.
func neverSource(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("\n\nvar pawlNeverOn int\n\nfunc init() {\n\tif pawlNeverOn > 0 {\n\t\tpawlNeverOn = pawlNever(pawlNeverOn)\n\t}\n}\n\n")
	b.WriteString("//go:noinline\nfunc pawlNever(n int) int {\n\ta, b, s := n, n+1, []int{n}\n")
	for range 1 + rng.IntN(mostStatements) {
		b.WriteString("\t" + statement(rng) + "\n")
	}
	b.WriteString("\treturn a + b + len(s)\n}\n")
	return b.String()
}

func statement(rng *rand.Rand) string {
	k := 3 + rng.IntN(1000)
	switch rng.IntN(7) {
	case 0:
		return fmt.Sprintf("a = a*%d + b", k)
	case 1:
		return fmt.Sprintf("if a > %d { b ^= a }", k)
	case 2:
		return fmt.Sprintf("for i := 0; i < a%%%d; i++ { b += i * a }", k)
	case 3:
		return fmt.Sprintf("s = append(s, a, b, %d)", k)
	case 4:
		return fmt.Sprintf("switch a %% 3 { case 0: b += %d; case 1: b -= a; default: a = -b }", k)
	case 5:
		return fmt.Sprintf("if len(s) > %d { s[%d] = a / (1 + b*b) }", k, k)
	default:
		return fmt.Sprintf("b = b<<%d | a>>%d", 1+k%7, 1+k%5)
	}
}

// addNever puts the source behind a function of a file, drawn at random.
func addNever(src []byte, never string, rng *rand.Rand) ([]byte, error) {
	file, err := source.Parse(token.NewFileSet(), "", "", src)
	if err != nil {
		return nil, err
	}
	var ends []int
	for _, d := range file.Syntax.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			ends = append(ends, file.Offset(f.End()))
		}
	}
	at := len(src)
	if len(ends) > 0 {
		at = ends[rng.IntN(len(ends))]
	}
	// What follows on the line of the closing brace, a comment, stays with it.
	if nl := strings.IndexByte(string(src[at:]), '\n'); nl >= 0 {
		at += nl
	}
	return edit.Apply(src, []model.Edit{{Start: at, End: at, New: never}})
}
