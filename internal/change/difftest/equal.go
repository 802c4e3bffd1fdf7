package difftest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// drawn has, for each package that answers otherwise every time, what of
// package pawldrive stands for its names: it gives both sides the same answers.
var drawn = map[string]map[string]string{
	"time":        {"Now": "Now", "Since": "Since", "Until": "Until"},
	"crypto/rand": {"Reader": "Entropy", "Read": "ReadEntropy", "Text": "EntropyText"},
	"math/rand": methodsOf("Random", "Int63", "Uint32", "Uint64", "Int31", "Int", "Int63n", "Int31n", "Intn", "Float64", "Float32",
		"Perm", "Shuffle", "NormFloat64", "ExpFloat64"),
	"math/rand/v2": methodsOf("RandomV2", "Int64", "Uint32", "Uint64", "Int32", "Int", "Int64N", "Uint64N", "Int32N", "Uint32N", "IntN", "UintN",
		"Float64", "Float32", "Perm", "Shuffle", "NormFloat64", "ExpFloat64"),
}

func methodsOf(of string, names ...string) map[string]string {
	out := make(map[string]string)
	for _, n := range names {
		out[n] = of + "." + n
	}
	return out
}

// putEqual makes the packages of a module ask package pawldrive for the time and
// for random numbers, where their source names them.
func (l *layer) putEqual(pkgs []gocmd.Package) error {
	done := make(map[string]bool)
	for _, p := range pkgs {
		if p.Standard || p.Module == nil || !p.Module.Main {
			continue
		}
		var files []string
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			files = append(files, filepath.Join(p.Dir, name))
		}
		for at := range l.Replace { // what was added
			if filepath.Dir(at) == p.Dir && !slices.Contains(files, at) && strings.HasSuffix(at, ".go") {
				files = append(files, at)
			}
		}
		slices.Sort(files)
		for _, at := range files {
			if done[at] {
				continue
			}
			done[at] = true
			if err := l.putEqualFile(at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *layer) putEqualFile(at string) error {
	name := at
	if now, ok := l.Replace[at]; ok {
		name = now
	}
	src, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // only another overlay has it
	}
	if err != nil {
		return fmt.Errorf("reading a source file: %w", err)
	}
	if now := equalised(src); now != nil {
		return l.Put(at, now)
	}
	return nil
}

// equalised returns a file's text with package pawldrive asked in place of what
// answers otherwise every time; nil says that nothing of that is in it.
func equalised(src []byte) []byte {
	if !bytes.Contains(src, []byte("rand\"")) && !bytes.Contains(src, []byte("rand/v2\"")) && !bytes.Contains(src, []byte("\"time\"")) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil
	}
	named, has := make(map[string]string), false // the names of imports, and whether pawldrive is among them
	for _, im := range f.Imports {
		at, _ := strconv.Unquote(im.Path.Value)
		switch {
		case at == "C":
			return nil
		case at == importPath:
			has = true
		case drawn[at] != nil && im.Name != nil:
			named[im.Name.Name] = at
		case at == "time":
			named["time"] = at
		case drawn[at] != nil:
			named["rand"] = at
		}
	}
	edits, used := replaced(fset, f, named)
	if len(edits) == 0 {
		return nil
	}
	if !has {
		edits = append(edits, model.Edit{Start: offset(fset, f.Name.End()), End: offset(fset, f.Name.End()), New: fmt.Sprintf("; import %s %q", alias, importPath)})
	}
	keep := ""
	for _, name := range slices.Sorted(slices.Values(used)) { // an import that nothing names any more does not compile
		keep += fmt.Sprintf("\nvar _ = %s\n", name)
	}
	return append(edit.Must(src, edits), keep...)
}

func offset(fset *token.FileSet, at token.Pos) int { return fset.PositionFor(at, false).Offset }

// replaced returns the edits of a file's names, and one name of each import that
// they were of. A variable that the file sets or whose address it takes stays.
func replaced(fset *token.FileSet, f *ast.File, named map[string]string) (edits []model.Edit, used []string) {
	nameOf := func(n ast.Node) (id *ast.Ident, sel, stands string) {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return nil, "", ""
		}
		if id, ok = s.X.(*ast.Ident); !ok || id.Obj != nil {
			return nil, "", ""
		}
		return id, s.Sel.Name, drawn[named[id.Name]][s.Sel.Name]
	}
	set := make(map[string]bool)
	for n := range code.All[ast.Node](f) {
		targets := code.Assigned(n)
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
			targets = []ast.Expr{u.X}
		}
		for _, t := range targets {
			_, _, stands := nameOf(t)
			set[stands] = true
		}
	}
	for n := range code.All[*ast.SelectorExpr](f) {
		id, sel, stands := nameOf(n)
		if stands == "" || set[stands] {
			continue
		}
		edits = append(edits, model.Edit{Start: offset(fset, n.Pos()), End: offset(fset, n.End()), New: alias + "." + stands})
		first := !slices.ContainsFunc(used, func(u string) bool { return strings.HasPrefix(u, id.Name+".") })
		if first {
			used = append(used, id.Name+"."+sel)
		}
	}
	return edits, used
}
