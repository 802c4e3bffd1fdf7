package sprintf

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A writer collects the operands of a concatenation.
type writer struct {
	p     *rule.Pass
	call  *ast.CallExpr
	file  *ast.File
	parts []string
	paths []string // what they need
}

// add adds what a verb prints of an argument; it is false where that needs
// fmt.
func (w *writer) add(verb byte, arg ast.Expr) bool {
	t := w.p.TypesInfo.TypeOf(arg)
	if t == nil {
		return false
	}
	src := w.p.Source(arg)
	if bytes(t) {
		switch verb {
		case 's':
			return w.part("string(%s)", src)
		case 'q':
			return w.via("strconv", "Quote(string(%s))", src)
		case 'x':
			return w.via("encoding/hex", "EncodeToString(%s)", src)
		}
		return false
	}
	b, ok := basic(t)
	if !ok {
		return false
	}
	exact := types.Identical(types.Unalias(t), b)
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return w.str(verb, src, exact)
	case info&types.IsBoolean != 0 && (verb == 't' || verb == 'v'):
		return w.via("strconv", "FormatBool(%s)", converted("bool", src, exact))
	case info&types.IsInteger != 0:
		return w.integer(verb, src, b, exact)
	}
	return false
}

func (w *writer) str(verb byte, src string, exact bool) bool {
	src = converted("string", src, exact)
	switch verb {
	case 's', 'v':
		return w.part("%s", src)
	case 'q':
		return w.via("strconv", "Quote(%s)", src)
	case 'x':
		return w.via("encoding/hex", "EncodeToString([]byte(%s))", src)
	}
	return false
}

func (w *writer) integer(verb byte, src string, b *types.Basic, exact bool) bool {
	base := 10
	switch {
	case verb == 'x':
		base = 16
	case verb != 'd' && verb != 'v':
		return false
	case b.Kind() == types.Int:
		return w.via("strconv", "Itoa(%s)", converted("int", src, exact))
	case b.Kind() == types.Uintptr && verb == 'v':
		return false // prints as 0x…
	}
	if b.Info()&types.IsUnsigned != 0 {
		return w.via("strconv", "FormatUint(%s, "+fmt.Sprint(base)+")", converted("uint64", src, exact && b.Kind() == types.Uint64))
	}
	return w.via("strconv", "FormatInt(%s, "+fmt.Sprint(base)+")", converted("int64", src, exact && b.Kind() == types.Int64))
}

func converted(to, src string, same bool) string {
	if same {
		return src
	}
	return to + "(" + src + ")"
}

func (w *writer) part(format, src string) bool {
	w.parts = append(w.parts, fmt.Sprintf(format, src))
	return w.unshadowed()
}

// via adds a call of a function of a package.
func (w *writer) via(path, format, src string) bool {
	name, _, ok := code.Import(w.p.TypesInfo, w.p.Pkg, w.file, w.call.Pos(), path)
	if !ok {
		return false
	}
	w.paths = append(w.paths, path)
	return w.part(name+"."+format, src)
}

// unshadowed reports whether the conversions mean what they say.
func (w *writer) unshadowed() bool {
	scope := w.p.Pkg.Scope().Innermost(w.call.Pos())
	for _, name := range []string{"string", "bool", "int", "int64", "uint64", "byte"} {
		if _, obj := scope.LookupParent(name, w.call.Pos()); obj != types.Universe.Lookup(name) {
			return false
		}
	}
	return true
}

// basic returns the basic type of values that fmt prints by their kind: those
// without methods by which they could print themselves.
func basic(t types.Type) (*types.Basic, bool) {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return nil, false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || types.NewMethodSet(t).Len() > 0 {
		return nil, false
	}
	if b.Info()&types.IsUntyped != 0 {
		b, ok = types.Default(b).(*types.Basic)
	}
	return b, ok
}

func bytes(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Slice)
	if !ok {
		return false
	}
	b, ok := types.Unalias(s.Elem()).(*types.Basic)
	return ok && b.Kind() == types.Byte
}
