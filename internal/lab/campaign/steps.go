package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// mark stands before the number of steps in the source, and in the program.
// There are always six digits, so that every number leaves all else where it
// is.
const mark = "pawl-steps="

const maxSteps = 999999

// stepsFile is the name of the file that holds the step function.
const stepsFile = "pawl_steps.go"

// blockSteps is how many steps make a block.
const blockSteps = 10_000

// stepsSource returns the file that is added to a package.
//
// A call costs a share of a block of arithmetic: calls save up until they have
// a whole one. So the cost grows evenly with the number, down to a tenth of a
// nanosecond; a short loop in each call does not give that, for the processor
// does a part of it beside other work, and knows the end of some loops ahead
// and not of others. A block keeps the processor's units busy rather than
// waiting for one result: where a neighbour takes some of them away, it slows
// down together with the code around it, and the effect stays what it was.
// (With a chain of multiplications in each call 2.0 % was 1.1 % an hour later.)
func stepsSource(pkg string, steps int) string {
	return fmt.Sprintf(`package %s

// PawlStep makes as many steps as the string below says.
//
//go:noinline
func PawlStep() {
	for pawlSaved += pawlSteps; pawlSaved >= %d; pawlSaved -= %[2]d {
		a, b, c := pawlSink, pawlSink+1, pawlSink+2
		for i := 0; i < 400; i++ {
			a ^= a << 7
			b ^= b << 9
			c ^= c << 5
			a += 1442695040888963407
			b += 6364136223846793005
			c += 2862933555777941757
		}
		pawlSink = a ^ b ^ c
	}
}

var (
	pawlSteps = pawlNumber("%s%06d")
	pawlSaved int
	pawlSink  uint64
)

func pawlNumber(s string) int {
	n := 0
	for _, c := range []byte(s[len(s)-6:]) {
		n = n*10 + int(c-'0')
	}
	return n
}
`, pkg, blockSteps, mark, steps)
}

// setSteps changes the number in a source or in a program.
func setSteps(data []byte, steps int) ([]byte, error) {
	if steps < 0 || steps > maxSteps {
		return nil, fmt.Errorf("%d steps are not within 0 to %d", steps, maxSteps)
	}
	at := bytes.Index(data, []byte(mark))
	if at < 0 || bytes.Contains(data[at+len(mark):], []byte(mark)) {
		return nil, fmt.Errorf("%q has to be there exactly once", mark)
	}
	at += len(mark)
	if len(data) < at+6 {
		return nil, fmt.Errorf("%q has no number", mark)
	}
	if _, err := strconv.Atoi(string(data[at : at+6])); err != nil {
		return nil, fmt.Errorf("%q has no number: %w", mark, err)
	}
	out := bytes.Clone(data)
	copy(out[at:], fmt.Sprintf("%06d", steps))
	return out, nil
}

func stepBinary(to, from string, steps int) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if data, err = setSteps(data, steps); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return writeFile(to, data, 0o777)
}

var errNoFunc = errors.New("no such function")

// callSteps makes every timed loop of a benchmark function begin with a call of
// the step function. The lines of the file stay where they are. It returns
// errNoFunc when the file does not hold the function.
func callSteps(src []byte, fn, importPath string) ([]byte, error) {
	file, err := source.Parse(token.NewFileSet(), "", "", src)
	if err != nil {
		return nil, err
	}
	decl := function(file.Syntax, fn)
	if decl == nil {
		return nil, errNoFunc
	}
	call := "PawlStep(); "
	if strings.HasSuffix(file.Syntax.Name.Name, "_test") {
		name, err := importName(file.Syntax, importPath)
		if err != nil {
			return nil, err
		}
		call = name + "." + call
	}
	var edits []model.Edit
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if body := timedLoop(n); body != nil {
			edits = append(edits, file.Insert(body.Lbrace+1, call))
		}
		return true
	})
	if len(edits) == 0 {
		return nil, fmt.Errorf("%s has no loop over b.N of its own", fn)
	}
	return edit.Apply(src, edits)
}

func function(file *ast.File, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name && f.Body != nil {
			return f
		}
	}
	return nil
}

func timedLoop(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		switch cond := n.Cond.(type) {
		case *ast.BinaryExpr:
			if selects(cond.Y, "N") || selects(cond.X, "N") {
				return n.Body
			}
		case *ast.CallExpr:
			if selects(cond.Fun, "Loop") {
				return n.Body
			}
		}
	case *ast.RangeStmt:
		if selects(n.X, "N") {
			return n.Body
		}
	}
	return nil
}

func selects(e ast.Expr, field string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == field
}

func importName(file *ast.File, importPath string) (string, error) {
	for _, spec := range file.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == importPath {
			if spec.Name != nil {
				return spec.Name.Name, nil
			}
			base := importPath[strings.LastIndex(importPath, "/")+1:]
			return base, nil
		}
	}
	return "", fmt.Errorf("the test file does not import %s", importPath)
}

func dropFuncs(src []byte, names []string) ([]byte, int, error) {
	file, err := source.Parse(token.NewFileSet(), "", "", src)
	if err != nil {
		return nil, 0, err
	}
	var edits []model.Edit
	for _, d := range file.Syntax.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && slices.Contains(names, f.Name.Name) {
			// Its imports may be used by nothing else; a name that is never called
			// keeps them.
			edits = append(edits, file.Insert(f.Name.Pos(), "dropped"))
		}
	}
	out, err := edit.Apply(src, edits)
	return out, len(edits), err
}
