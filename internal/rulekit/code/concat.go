package code

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/rules/rule"
)

// A Concat is a concatenation that stands for a call of fmt.Sprintf.
type Concat struct {
	Text  string
	Paths []string // of the packages that it needs
	// Early is set where it reads an argument before it calls what may change that: fmt
	// formats when all arguments are evaluated.
	Early bool
}

// Concatenation writes a call of fmt.Sprintf as a concatenation that says the same; ok is
// false where that takes fmt, or where all is constant.
func Concatenation(p *rule.Pass, call *ast.CallExpr) (out Concat, ok bool) {
	format, ok := String(p.TypesInfo, call.Args[0])
	if !ok || call.Ellipsis.IsValid() {
		return out, false
	}
	pieces, ok := Format(format)
	if !ok {
		return out, false
	}
	c := &concat{p: p, call: call, file: p.File(call.Pos())}
	args := call.Args[1:]
	constant := true
	for _, piece := range pieces {
		if piece.Verb == 0 {
			c.parts = append(c.parts, fmt.Sprintf("%q", piece.Text))
			continue
		}
		if len(args) == 0 {
			return out, false // what it prints is a mistake
		}
		c.converts = false
		if constant = constant && p.TypesInfo.Types[args[0]].Value != nil; piece.Flags != "" || !c.add(piece.Verb, args[0]) {
			return out, false
		}
		out.Early = out.Early || c.converts && Acts(p.TypesInfo, args[1:]...) &&
			(unnamedBytes(p.TypesInfo.TypeOf(args[0])) || Changeable(p.Index, p.TypesInfo, args[0]))
		args = args[1:]
	}
	out.Text, out.Paths = strings.Join(c.parts, " + "), c.paths
	return out, !constant && len(args) == 0
}

// A concat collects the operands of a concatenation.
type concat struct {
	p     *rule.Pass
	call  *ast.CallExpr
	file  *ast.File
	parts []string
	paths []string // what they need

	converts bool // the last one is converted by a call, or copied
}

// add adds what a verb prints of an argument; it is false where that needs
// fmt.
func (c *concat) add(verb byte, arg ast.Expr) bool {
	t := c.p.TypesInfo.TypeOf(arg)
	if t == nil {
		return false
	}
	src := c.p.Source(arg)
	if unnamedBytes(t) {
		switch verb {
		case 's':
			c.converts = true
			return c.part("string(%s)", src)
		case 'q':
			return c.via("strconv", "Quote(string(%s))", src)
		case 'x':
			return c.via("encoding/hex", "EncodeToString(%s)", src)
		}
		return false
	}
	b, ok := kindOf(t)
	if !ok {
		return false
	}
	exact := types.Identical(types.Unalias(t), b)
	switch info := b.Info(); {
	case info&types.IsString != 0:
		if exact {
			src = Exposed(c.p, arg)
		}
		return c.str(verb, src, exact)
	case info&types.IsBoolean != 0 && (verb == 't' || verb == 'v'):
		return c.via("strconv", "FormatBool(%s)", retyped("bool", src, exact))
	case info&types.IsInteger != 0:
		return c.integer(verb, src, b, exact)
	}
	return false
}

func (c *concat) str(verb byte, src string, exact bool) bool {
	src = retyped("string", src, exact)
	switch verb {
	case 's', 'v':
		return c.part("%s", src)
	case 'q':
		return c.via("strconv", "Quote(%s)", src)
	case 'x':
		return c.via("encoding/hex", "EncodeToString([]byte(%s))", src)
	}
	return false
}

func (c *concat) integer(verb byte, src string, b *types.Basic, exact bool) bool {
	base := 10
	switch {
	case verb == 'x':
		base = 16
	case verb != 'd' && verb != 'v':
		return false
	case b.Kind() == types.Int:
		return c.via("strconv", "Itoa(%s)", retyped("int", src, exact))
	case b.Kind() == types.Uintptr && verb == 'v':
		return false // prints as 0x…
	}
	if b.Info()&types.IsUnsigned != 0 {
		return c.via("strconv", "FormatUint(%s, "+fmt.Sprint(base)+")", retyped("uint64", src, exact && b.Kind() == types.Uint64))
	}
	return c.via("strconv", "FormatInt(%s, "+fmt.Sprint(base)+")", retyped("int64", src, exact && b.Kind() == types.Int64))
}

func retyped(to, src string, same bool) string {
	if same {
		return src
	}
	return to + "(" + src + ")"
}

func (c *concat) part(format, src string) bool {
	c.parts = append(c.parts, fmt.Sprintf(format, src))
	return c.unshadowed()
}

// via adds a call of a function of a package.
func (c *concat) via(path, format, src string) bool {
	name, _, ok := Import(c.p.TypesInfo, c.p.Pkg, c.file, c.call.Pos(), path)
	if !ok {
		return false
	}
	c.paths, c.converts = append(c.paths, path), true
	return c.part(name+"."+format, src)
}

// unshadowed reports whether the conversions mean what they say.
func (c *concat) unshadowed() bool {
	scope := c.p.Pkg.Scope().Innermost(c.call.Pos())
	return !slices.ContainsFunc([]string{"string", "bool", "int", "int64", "uint64", "byte"}, func(name string) bool {
		_, obj := scope.LookupParent(name, c.call.Pos())
		return obj != types.Universe.Lookup(name)
	})
}

// kindOf returns the basic type of values that fmt prints by their kind: those
// without methods by which they could print themselves.
func kindOf(t types.Type) (*types.Basic, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || types.NewMethodSet(t).Len() > 0 {
		return nil, false
	}
	if b.Info()&types.IsUntyped != 0 {
		b, ok = types.Default(b).(*types.Basic)
	}
	return b, ok
}

// unnamedBytes reports whether t is []byte itself, under no other name.
func unnamedBytes(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Slice)
	if !ok {
		return false
	}
	b, ok := types.Unalias(s.Elem()).(*types.Basic)
	return ok && b.Kind() == types.Byte
}
