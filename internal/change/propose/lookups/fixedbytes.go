package lookups

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A fixed is bytes of constants that a function makes at each call, and gives to a call that only reads them.
type fixed struct {
	made ast.Expr // []byte("text"), or a literal of constants
	call *ast.CallExpr
}

// fixedIn returns them, but for calls of package bytes, which the compiler keeps them on the stack for.
func fixedIn(fn *prove.Function) (list []fixed) {
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if target := code.Callee(fn.Info(), call); target != nil && target.Pkg() != nil && target.Pkg().Path() == "bytes" {
			continue
		}
		for _, arg := range call.Args {
			if fixedBytes(fn.Info(), arg) && !fn.Info().Types[call.Fun].IsType() && code.Builtin(fn.Info(), call) == "" {
				list = append(list, fixed{arg, call})
			}
		}
	}
	return list
}

// fixedBytes reports whether an expression makes a slice of bytes, not empty, of constants.
func fixedBytes(info *types.Info, e ast.Expr) bool {
	if !code.IsBytes(info.TypeOf(e)) {
		return false
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		text, ok := "", info.Types[e.Fun].IsType()
		if ok {
			text, ok = code.String(info, e.Args[0])
		}
		return ok && text != ""
	case *ast.CompositeLit:
		return len(e.Elts) > 0 && constants(info, e, isConstant)
	}
	return false
}

// addFixed proposes to make once what the function gives away on a line. What else of that kind it makes becomes part of the change.
func addFixed(s *prove.Site) {
	all, found := fixedIn(s.Fn), false
	for _, x := range all {
		found = found || s.Covers(x.made, s.At.Line) || s.Covers(x.call, s.At.Line)
	}
	if !found {
		return
	}
	c, why := proposeFixed(s, all)
	s.Add("bytes of constants are made at each call", c, why)
}

func proposeFixed(s *prove.Site, all []fixed) (*model.Change, *prove.Reason) {
	p, fn := s.Program, s.Fn
	if sig := fn.Obj.Signature(); sig.Recv() == nil && (fn.Obj.Name() == "init" || fn.Obj.Name() == "main") {
		return nil, prove.Refuse(fn.Obj.Name() + " runs once")
	}
	var last *prove.Reason
	var assumed []string
	fits := slices.DeleteFunc(all, func(x fixed) bool {
		r := &reading{p: p, seen: map[visit]bool{}}
		why := (&table{p: p, fn: fn, made: x.made}).fixedWhy(r, x)
		if why == nil {
			assumed = append(assumed, r.assumed...)
		}
		if why != nil && s.Covers(x.call, s.At.Line) {
			last = why
		}
		return why != nil
	})
	if last != nil || len(fits) == 0 {
		return nil, last
	}
	return p.Change(fn, declareFixed(p, fn, fits), model.Change{
		Kind:  "make-once",
		Title: fmt.Sprintf("%s: make the bytes of constants in %s once", fn.File.Pkg.Name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "they are the same at each call", How: "proven", Why: "they are made of constants alone"},
			unchanged(assumed),
			{Text: "they are there before their first use", How: "assumed",
				Why: "they depend on no variable, and the compiler lays them out"},
		},
		Retains: "the bytes stay in memory, whether the function is called or not",
	})
}

// fixedWhy says why bytes cannot be made once.
func (b *table) fixedWhy(r *reading, x fixed) *prove.Reason {
	if name := b.local(); name != "" {
		return prove.Refuse("it names " + name + ", which is declared in the function")
	}
	if b.fn.File.Commented(x.made) {
		return prove.Refuse("there is a comment within it")
	}
	if name := b.p.OtherElsewhere(b.fn.Info(), x.made); name != "" {
		return prove.Refuse(name + " may be a variable in other builds")
	}
	if !r.given(b.fn, x.call, x.made) {
		return prove.Refuse(prove.Short(types.ExprString(x.call.Fun)) + " may do more with its bytes than to read them" + r.other)
	}
	return nil
}

// declareFixed declares variables for bytes, and uses them. Equal ones have one.
func declareFixed(p *prove.Program, fn *prove.Function, fits []fixed) (edits []model.Edit) {
	var names []string
	f, taken, declared := fn.File, map[string]string{}, ""
	for _, x := range fits {
		value := p.Source(f, x.made)
		if taken[value] == "" {
			stem, skip, name := stemOf(fn, x.made), 0, ""
			declared += "\n" + p.Declare(f, func(i int) (string, []string) {
				for name = prove.Numbered(stem, i+skip); slices.Contains(names, name) || changed(p, f.Pkg, name); name = prove.Numbered(stem, i+skip) {
					skip++
				}
				return "var " + name + " = " + value + "\n", []string{name}
			})
			taken[value], names = name, append(names, name)
		}
		edits = append(edits, p.Put(f, x.made.Pos(), x.made.End(), taken[value]))
	}
	if strings.TrimSpace(declared) != "" {
		edits = append(edits, p.Below(fn, declared))
	}
	return edits
}

// stemOf names bytes by their constant, by the words in them, or else by the function.
func stemOf(fn *prove.Function, made ast.Expr) string {
	text := ""
	if call, ok := made.(*ast.CallExpr); ok {
		if id, named := call.Args[0].(*ast.Ident); named {
			return code.LowerName(id.Name) + "Bytes"
		}
		text, _ = code.String(fn.Info(), call.Args[0])
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) })
	stem := ""
	for _, w := range parts[:min(len(parts), 2)] {
		stem += code.UpperName(strings.ToLower(w))
	}
	if text == "\n" || text == "\r\n" {
		stem = "newline"
	}
	if stem == "" || len(stem) > 24 {
		stem = fn.Obj.Name()
	}
	return code.LowerName(stem) + "Bytes"
}

// changed reports whether a package has a variable of bytes that something may do more with than to read them. It reads
// functions: what else refers to the variable is taken to change it.
func changed(p *prove.Program, k *prove.Package, name string) bool {
	v, ok := k.Types.Scope().Lookup(name).(*types.Var)
	if !ok {
		return false
	}
	left := 0
	for _, obj := range k.TypesInfo.Uses {
		if obj == v {
			left++
		}
	}
	for _, fn := range p.Funcs {
		if fn.File.Pkg != k {
			continue
		}
		for id := range prove.UsesIn(fn.Info(), fn.Decl.Body, v) {
			if r := (&reading{p: p, seen: map[visit]bool{}}); !fn.File.AssignedTo(id) && r.read(fn, id) {
				left--
			}
		}
	}
	return left > 0
}

// A reading follows bytes to what is done with them, until something may be other than reading.
type reading struct {
	p       *prove.Program
	seen    map[visit]bool
	assumed []string
	other   string // where something else may be done with them
	trusts  bool   // a contract covers what is not read
}

// A visit is to a variable, or to a method by a contract, with or without trust.
type visit struct {
	to     types.Object
	trusts bool
}

// first reports whether something is visited for the first time.
func (r *reading) first(to types.Object) bool {
	v := visit{to, r.trusts}
	again := r.seen[v]
	r.seen[v] = true
	return !again
}

// unchanged says why nobody changes the bytes, from what is assumed for that.
func unchanged(assumed []string) model.Obligation {
	o := model.Obligation{Text: "nobody changes them", How: "proven", Why: "the functions that are given them only read them"}
	if slices.Sort(assumed); len(assumed) > 0 {
		o.How, o.Why = "assumed", strings.Join(slices.Compact(assumed), "; ")+"; what the module has of such methods was read"
	}
	return o
}

// given reports whether a call in fn does no more with its argument e than to read its bytes.
func (r *reading) given(fn *prove.Function, call *ast.CallExpr, e ast.Expr) bool {
	info, arg := fn.Info(), slices.Index(call.Args, e)
	switch b := code.Builtin(info, call); {
	case arg < 0:
		return false
	case info.Types[call.Fun].IsType():
		return code.IsString(info.TypeOf(call)) || code.IsBytes(info.TypeOf(call)) && r.read(fn, call)
	case b == "append":
		return arg == 1 && call.Ellipsis.IsValid()
	case b != "":
		return b == "len" || b == "copy" && arg == 1
	}
	target := code.Callee(info, call)
	if target == nil || target.Signature().Variadic() && arg >= target.Signature().Params().Len()-1 {
		return false
	}
	if decl := r.p.Function(target); decl != nil {
		if other := r.p.DeclaredElsewhere(decl); other != "" && !r.trusts {
			r.other = " in other builds (" + other + ")"
			return false
		}
		return r.all(decl, decl.Obj.Signature().Params().At(arg))
	}
	sig := target.Signature()
	switch contract := flow.ContractOf(target); {
	case contract != nil && contract.Reads != "":
		r.assumed = append(r.assumed, contract.Reads)
	case contract != nil || !r.trusts || !code.IsBytes(sig.Params().At(arg).Type()) || flow.Aliasing(sig.Results()) != "":
		return false // it may keep a value of any type, as atomic.Value does
	}
	return sig.Recv() == nil || r.methods(target, arg)
}

// methods reports whether those of the module that a call of a method may come to keep its contract, as far as they can be
// read. Every one of its name and signature may be it: a type can embed another, and one outside can pass on what it is given.
// One of a generic type may have any signature, and io.OffsetWriter passes on to WriteAt.
func (r *reading) methods(target *types.Func, arg int) bool {
	defer func(trusted bool) { r.trusts = trusted }(r.trusts)
	r.trusts = true
	if !r.first(target) {
		return true
	}
	for _, name := range slices.Sorted(maps.Keys(r.p.Funcs)) { // so that a refusal names the same one each time
		fn := r.p.Funcs[name]
		own := fn.Obj.Signature()
		may := fn.Obj.Name() == target.Name() && (types.Identical(own, target.Signature()) || own.RecvTypeParams().Len() > 0 && own.Params().Len() > arg)
		if own.Recv() != nil && (may || writesAt(fn.Obj) && arg == 0) && !r.all(fn, own.Params().At(arg)) {
			return false
		}
	}
	return true
}

// writesAt reports whether a function is an io.WriterAt's.
func writesAt(fn *types.Func) bool {
	return fn.Name() == "WriteAt" && code.SignatureOf(fn.Signature()) == "([]byte, int64) (int, error)"
}

// all reports whether all uses of a variable, and of those that it is assigned to, only read its bytes.
func (r *reading) all(fn *prove.Function, v *types.Var) bool {
	if !r.first(v) {
		return true
	}
	for id := range prove.UsesIn(fn.Info(), fn.Decl.Body, v) {
		if !fn.File.AssignedTo(id) && !r.read(fn, id) {
			if r.other == "" {
				r.other = " (" + r.p.Pos(id.Pos()).String() + ")"
			}
			return false
		}
	}
	return true
}

// read reports whether the expression around e, which is the bytes or a part of them, only reads them.
func (r *reading) read(fn *prove.Function, e ast.Expr) bool {
	f := fn.File
	switch up := f.Parent(e).(type) {
	case *ast.ParenExpr:
		return r.read(fn, up)
	case *ast.IndexExpr:
		return !f.AssignedTo(up) && !prove.Addressed(f, up)
	case *ast.SliceExpr:
		return r.read(fn, up)
	case *ast.RangeStmt:
		return up.X == e
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		return r.given(fn, up, e)
	case *ast.AssignStmt:
		at := slices.Index(up.Rhs, e)
		if at < 0 || len(up.Lhs) != len(up.Rhs) || up.Tok != token.ASSIGN && up.Tok != token.DEFINE {
			return false
		}
		id, ok := up.Lhs[at].(*ast.Ident)
		v, isVar := fn.Info().ObjectOf(id).(*types.Var)
		return ok && isVar && code.Local(v) && v.Kind() != types.ResultVar && r.all(fn, v) // a return without values returns a result
	}
	return false
}
