package boxes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// Lazy turns an error that is formatted when it is made into a value of
// a small type that holds the operands and formats when its text is asked for.
var Lazy = prove.Transformation{
	Name:     "lazy-error",
	Doc:      "An error made by fmt.Errorf, of a constant format and operands of basic types or bytes, becomes a value of a small type that is formatted only when its text is asked for. It may wrap an error such as io.EOF.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "lazy-error", "BenchmarkParse", "allocs", "the formatting and its allocations go, but for one small value", 0),
	// It looks at the calls of package fmt and errors on the lines of the
	// target and of the module's frames.
	Propose: prove.At(func(t model.Target) []model.Pos { return makingPlaces(t, "fmt.", "errors.") }, func(s *prove.Site) {
		for _, made := range formattedErrors(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeLazy(s.Program, made)
			s.Add(types.ExprString(made.call.Fun)+" formats the error when it is made", ch, why)
		}
	}),
}

// maxErrorSize is the largest error type that is declared, in bytes: a larger
// one costs as much as the text.
const maxErrorSize = 64

// makingPlaces returns the lines of t's module frames which make an error: by
// a call of a function with one of the prefixes, or by allocating it.
func makingPlaces(t model.Target, prefixes ...string) []model.Pos {
	var lines []model.Pos
	for _, at := range prove.Frames(t) {
		i := slices.IndexFunc(t.Stack, func(f model.Frame) bool { return f.Module && f.Pos() == at })
		if i < 0 && len(t.Stack) > 0 {
			continue
		}
		making := func(prefix string) bool { return strings.HasPrefix(t.Stack[i-1].Func, prefix) }
		allocates := t.Resource == model.Allocs && (i <= 0 || making("runtime."))
		if allocates || i > 0 && slices.ContainsFunc(prefixes, making) {
			lines = append(lines, at)
		}
	}
	return lines
}

// A formattedError error is a call that makes an error of a format and operands.
type formattedError struct {
	fn       *prove.Function
	call     *ast.CallExpr
	printing *ast.CallExpr // of package fmt: call itself, or its operand
	format   ast.Expr
	args     []ast.Expr
	spread   bool // the operands are passed as a slice

	text     string // of the format, with its quotes
	wrapped  *operand
	own      bool // it stays a pointer, as errors are told apart
	operands []operand
}

// An operand is an argument of the format.
type operand struct {
	arg  ast.Expr
	typ  types.Type
	text string       // of a constant that means the same outside the function
	name string       // of the field, where it is no such constant
	copy bool         // it is bytes, and the field a string of them
	is   types.Object // the constant or package variable that it is, an error that stays the same; nil for a value of a basic type
}

// formattedErrors returns the calls on a line that format an error: those of
// fmt.Errorf, and of errors.New with a text from fmt.Sprintf. Constant texts
// without operands are the business of rule staticerror. Line 0 is any line.
func formattedErrors(p *prove.Program, fn *prove.Function, line int) []*formattedError {
	info := fn.Info()
	var found []*formattedError
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if line > 0 && !p.Covers(call, line) || len(call.Args) == 0 {
			continue
		}
		inner, ok := call, true
		switch symbolOf(code.Callee(info, call)) {
		case "errors.New":
			inner, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
			if !ok || symbolOf(code.Callee(info, inner)) != "fmt.Sprintf" {
				continue
			}
		case "fmt.Errorf":
		default:
			continue
		}
		if len(inner.Args) > 1 {
			found = append(found, &formattedError{fn: fn, call: call, printing: inner, format: inner.Args[0], args: inner.Args[1:], spread: inner.Ellipsis.IsValid()})
		}
	}
	return found
}

func symbolOf(fn *types.Func) string {
	if fn == nil {
		return ""
	}
	return fn.FullName()
}

func proposeLazy(p *prove.Program, made *formattedError) (*model.Change, *prove.Reason) {
	if why := readFormatted(p, made); why != nil {
		return nil, why
	}
	made.own = anyError.told(p) != ""
	if where := ownError.told(p); where != "" {
		return nil, prove.Refuse(where + ": it would be of another type there")
	} else if made.own && !slices.ContainsFunc(made.operands, func(o operand) bool { return o.text == "" }) {
		return nil, prove.Refuse(anyError.told(p) + ": two errors without operands would be equal there")
	}
	if why := unsafeStrings(p, made); why != nil {
		return nil, why
	}
	all, own := sameErrors(p, made), made.own
	made = all[0]
	made.own = own
	k := made.fn.File.Pkg
	typ := errorTypeName(p, k, made)
	if typ == "" {
		return nil, prove.Refuse("no name is free for its type")
	}
	decl := made.fn.Decl
	start := p.Offset(decl.Pos())
	if decl.Doc != nil {
		start = p.Offset(decl.Doc.Pos())
	}
	edits := []model.Edit{p.Edit(made.fn.File, start, start, made.declaration(p, typ)+"\n")}
	for _, m := range all {
		edits = append(edits, p.Put(m.fn.File, m.call.Pos(), m.call.End(), m.literal(p, typ, made)))
	}
	return p.Change(made.fn, append(edits, unusedImports(p, all)...), model.Change{
		Kind:        "lazy-error",
		Title:       fmt.Sprintf("%s: format the error of %s when its text is asked for (%s)", k.Name, functionNames(all), prove.Short(made.text)),
		Obligations: made.obligations(), Retains: made.retains(),
	})
}

// readFormatted fills in the format and the operands, or says why the error
// cannot be formatted later.
func readFormatted(p *prove.Program, m *formattedError) *prove.Reason {
	f := m.fn.File
	if why := prove.Editable(f); why != nil {
		return why
	}
	if m.fn.Obj.Name() == "init" && m.fn.Decl.Recv == nil {
		return prove.Refuse("it is made while the program starts")
	}
	if why := errorDestination(m.fn, m.call); why != nil {
		return why
	}
	for _, g := range f.Syntax.Comments {
		if code.Within(m.call, g) {
			return prove.Refuse("there is a comment within the call")
		}
	}
	if m.spread {
		return prove.Refuse("its operands are passed as a slice")
	}
	if why := m.readFormat(p); why != nil {
		return why
	}
	if why := m.readOperands(p); why != nil {
		return why
	}
	if why := m.order(); why != nil {
		return why
	}
	var fields []*types.Var
	for _, o := range m.operands {
		if o.text == "" {
			fields = append(fields, types.NewField(token.NoPos, m.fn.Obj.Pkg(), o.name, o.typ, false))
		}
	}
	if len(fields) == 0 && m.wrapped == nil {
		return prove.Refuse("all its operands are constants: a constant text would do")
	}
	if size := f.Pkg.TypesSizes.Sizeof(types.NewStruct(fields, nil)); size > maxErrorSize {
		return prove.Refusef("its operands take %d bytes: keeping them saves nothing", size)
	}
	return nil
}

// errorDestination says why e, a new error, is not simply a value of type
// error whose dynamic type does not matter.
func errorDestination(fn *prove.Function, e ast.Expr) *prove.Reason {
	info, f := fn.Info(), fn.File
	up := f.Parent(e)
	for {
		paren, ok := up.(*ast.ParenExpr)
		if !ok {
			break
		}
		e, up = paren, f.Parent(paren)
	}
	switch up := up.(type) {
	case *ast.ReturnStmt:
		res := signatureAround(fn, up).Results()
		i := slices.Index(up.Results, e)
		if len(up.Results) == res.Len() && code.IsError(res.At(i).Type()) {
			return nil
		}
	case *ast.AssignStmt:
		i := slices.Index(up.Rhs, e)
		if i < 0 || len(up.Lhs) != len(up.Rhs) {
			break
		}
		if up.Tok == token.DEFINE {
			return nil // by a conversion
		}
		id := code.RootIdent(up.Lhs[i])
		if id == nil || id.Name == "_" || code.StmtList(f.Parent(up)) == nil || !code.IsError(info.TypeOf(up.Lhs[i])) {
			break
		}
		if v, ok := info.Uses[id].(*types.Var); !ok || v.Parent() == v.Pkg().Scope() {
			return prove.Refuse("it is stored in the package variable " + id.Name)
		}
		return nil
	}
	return prove.Refuse("it is neither returned nor assigned to a variable of type error")
}

// signatureAround returns the signature of the function or function literal
// that n stands in.
func signatureAround(fn *prove.Function, n ast.Node) *types.Signature {
	if lit := fn.File.Literal(n); lit != nil {
		return fn.Info().TypeOf(lit).(*types.Signature)
	}
	return fn.Obj.Signature()
}

// sameErrors returns all places of the package that make an error of the same
// format and types of operands and for which the same holds, m included: they
// share a type, whichever of them is the target.
func sameErrors(p *prove.Program, m *formattedError) []*formattedError {
	var all []*formattedError
	for _, f := range m.fn.File.Pkg.Files {
		for _, d := range f.Syntax.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			obj, ok := f.Pkg.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			for _, other := range formattedErrors(p, &prove.Function{Obj: obj, Decl: decl, File: f}, 0) {
				if readFormatted(p, other) == nil && other.like(m) {
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// like reports whether two errors are of the same format, with operands of the
// same types and the same constants among them.
func (m *formattedError) like(o *formattedError) bool {
	a, b := m.fn.Info(), o.fn.Info()
	if a.Types[m.format].Value.ExactString() != b.Types[o.format].Value.ExactString() || len(m.operands) != len(o.operands) {
		return false
	}
	for i, x := range m.operands {
		y := o.operands[i]
		if !types.Identical(x.typ, y.typ) || (x.text == "") != (y.text == "") || x.is != y.is || x.copy != y.copy ||
			x.text != "" && x.is == nil && a.Types[x.arg].Value.ExactString() != b.Types[y.arg].Value.ExactString() {
			return false
		}
	}
	return true
}

func functionNames(all []*formattedError) string {
	var names []string
	for _, m := range all {
		if !slices.Contains(names, m.fn.Obj.Name()) {
			names = append(names, m.fn.Obj.Name())
		}
	}
	return strings.Join(names, ", ")
}

// obligations says why the error behaves as it did.
func (m *formattedError) obligations() []model.Obligation {
	all := []model.Obligation{
		{Text: "the text stays the same", How: "proven", Why: "the format is constant, and its operands are of basic types without methods that package fmt would call"},
		{Text: "the operands are evaluated where they were", How: "proven", Why: "they stand in the literal; only their formatting is put off"},
		{Text: "nobody asks for the error's dynamic type", How: "assumed", Why: "it was an unexported type of another package, which can be seen by reflection, %T and %#v only; none of the loaded packages looks"},
		{Text: "nobody tells two of these errors apart", How: "assumed", Why: "they become equal when their operands are; no loaded package compares errors but with variables that do not change, and package errors " +
			"has callers ask for those"},
	}
	if slices.ContainsFunc(m.operands, func(o operand) bool { return o.copy }) {
		all = append(all, model.Obligation{Text: "bytes are printed as they were", How: "proven", Why: "the error has a copy of them, and fmt prints the string of some bytes as it prints the bytes by %s, %q and %x"})
	}
	if m.own {
		all[3] = model.Obligation{Text: "two of these errors are not equal", How: "proven", Why: "each is a pointer to a value of its own, as before"}
	}
	for _, o := range m.operands {
		if o.is != nil {
			all = append(all, steady(o, m.fn.Obj.Pkg()))
		}
	}
	if m.retains() != "" {
		all = append(all, model.Obligation{Text: "the operands do not change while the error lives", How: "assumed", Why: "strings are immutable; no loaded package makes one of bytes by unsafe"})
	}
	return all
}

// steady says why an error that is a package variable is the same when the text is asked for.
func steady(o operand, pkg *types.Package) model.Obligation {
	says := model.Obligation{Text: types.ExprString(o.arg) + " is the same error, with the same text, when it is asked for", How: "proven",
		Why: "it is declared with an error that packages errors or fmt made, before anything can use it, and nothing gives it another value"}
	_, constant := o.is.(*types.Const)
	switch {
	case constant:
		says.Why = "it is a constant, and its method does no more than to return it as a text"
	case effects.Standard(o.is.Pkg().Path()):
		says.How, says.Why = "assumed", "none of the loaded packages gives it another value; the standard library's errors keep their text"
	case o.is.Exported() && pkg.Name() != "main":
		says.How, says.Why = "assumed", says.Why+" in the loaded packages; another module that did would change what callers ask for"
	}
	return says
}

// retains says which strings an error keeps alive.
func (m *formattedError) retains() string {
	var kept []string
	for _, o := range m.operands {
		if b, ok := o.typ.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && o.text == "" && !o.copy {
			kept = append(kept, types.ExprString(o.arg))
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "the memory of " + strings.Join(kept, " and ") + ", whole, for as long as the error is kept, where a copy of the text was kept"
}
