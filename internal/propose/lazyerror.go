package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// lazyError turns an error that is formatted when it is made into a value of
// a small type that holds the operands and formats when its text is asked for.
type lazyError struct{ savesBoth }

// Name is the kind of the changes.
func (lazyError) Name() string { return "lazy-error" }

// Doc describes the transformation.
func (lazyError) Doc() string {
	return "An error made by fmt.Errorf, of a constant format and operands of basic types, becomes a value of a small type that is formatted only when its text is asked for."
}

// Evidence is the proof that it pays.
func (lazyError) Evidence() *rule.Evidence {
	return proof("lazy-error", "BenchmarkParse", "allocs", "the formatting and its allocations go, but for one small value", 0)
}

// maxErrorSize is the largest error type that is declared, in bytes: a larger
// one costs as much as the text.
const maxErrorSize = 64

// Propose looks at the calls of package fmt and errors on the lines of the
// target and of the module's frames.
func (l lazyError) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: l.Name(), target: t}
	p.eachPlace(makingPlaces(t, "fmt.", "errors."), func(fn *function, at model.Pos) {
		for _, made := range p.formattedErrors(fn, at.Line) {
			ch, why := l.propose(p, made)
			o.add(at, types.ExprString(made.call.Fun)+" formats the error when it is made", ch, why)
		}
	})
	return o.changes, o.refusals
}

// makingPlaces returns the lines of t's module frames which make an error: by
// a call of a function with one of the prefixes, or by allocating it.
func makingPlaces(t model.Target, prefixes ...string) []model.Pos {
	var lines []model.Pos
	for _, at := range places(t, true) {
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
	fn     *function
	call   *ast.CallExpr
	format ast.Expr
	args   []ast.Expr
	spread bool // the operands are passed as a slice

	text     string // of the format, with its quotes
	operands []operand
}

// An operand is an argument of the format.
type operand struct {
	arg  ast.Expr
	typ  types.Type
	text string // of a constant that means the same outside the function
	name string // of the field, where it is no such constant
}

// formattedErrors returns the calls on a line that format an error: those of
// fmt.Errorf, and of errors.New with a text from fmt.Sprintf. Constant texts
// without operands are the business of rule staticerror. Line 0 is any line.
func (p *Program) formattedErrors(fn *function, line int) []*formattedError {
	info := fn.info()
	var found []*formattedError
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || line > 0 && !p.covers(call, line) || len(call.Args) == 0 {
			return true
		}
		inner := call
		switch symbolOf(callee(info, call)) {
		case "errors.New":
			inner, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
			if !ok || symbolOf(callee(info, inner)) != "fmt.Sprintf" {
				return true
			}
		case "fmt.Errorf":
		default:
			return true
		}
		if len(inner.Args) > 1 {
			found = append(found, &formattedError{fn: fn, call: call, format: inner.Args[0], args: inner.Args[1:], spread: inner.Ellipsis.IsValid()})
		}
		return true
	})
	return found
}

func symbolOf(fn *types.Func) string {
	if fn == nil {
		return ""
	}
	return fn.FullName()
}

func (l lazyError) propose(p *Program, made *formattedError) (*model.Change, string) {
	if why := p.readFormatted(made); why != "" {
		return nil, why
	}
	if where := p.errorsToldApart(); where != "" {
		return nil, where + ": two errors of equal operands would be equal there"
	}
	if why := p.unsafeStrings(made); why != "" {
		return nil, why
	}
	all := p.sameErrors(made)
	made = all[0]
	k := made.fn.file.pkg
	typ := p.errorTypeName(k, made)
	if typ == "" {
		return nil, "no name is free for its type"
	}
	decl := made.fn.decl
	start := p.offset(decl.Pos())
	if decl.Doc != nil {
		start = p.offset(decl.Doc.Pos())
	}
	edits := []model.Edit{p.edit(made.fn.file, start, start, made.declaration(p, typ)+"\n")}
	for _, m := range all {
		edits = append(edits, p.edit(m.fn.file, p.offset(m.call.Pos()), p.offset(m.call.End()), m.literal(p, typ, made)))
	}
	edits, err := p.settle(append(edits, p.unusedErrors(all)...))
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(l.Name(), made.fn.obj.FullName(), edits), Kind: l.Name(), Class: "B",
		Title: fmt.Sprintf("%s: format the error of %s when its text is asked for (%s)", k.Name, functionNames(all), short(made.text)),
		Edits: edits, Obligations: made.obligations(), Retains: made.retains(),
	}, ""
}

// readFormatted fills in the format and the operands, or says why the error
// cannot be formatted later.
func (p *Program) readFormatted(m *formattedError) string {
	f := m.fn.file
	if why := editable(f); why != "" {
		return why
	}
	if m.fn.obj.Name() == "init" && m.fn.decl.Recv == nil {
		return "it is made while the program starts"
	}
	if why := errorDestination(m.fn, m.call); why != "" {
		return why
	}
	for _, g := range f.syntax.Comments {
		if within(m.call, g) {
			return "there is a comment within the call"
		}
	}
	if m.spread {
		return "its operands are passed as a slice"
	}
	if why := m.readFormat(p); why != "" {
		return why
	}
	if why := m.readOperands(p); why != "" {
		return why
	}
	if why := m.order(); why != "" {
		return why
	}
	var fields []*types.Var
	for _, o := range m.operands {
		if o.text == "" {
			fields = append(fields, types.NewField(token.NoPos, m.fn.obj.Pkg(), o.name, o.typ, false))
		}
	}
	if len(fields) == 0 {
		return "all its operands are constants: a constant text would do"
	}
	if size := f.pkg.TypesSizes.Sizeof(types.NewStruct(fields, nil)); size > maxErrorSize {
		return fmt.Sprintf("its operands take %d bytes: keeping them saves nothing", size)
	}
	return ""
}

// errorDestination says why e, a new error, is not simply a value of type
// error of which the dynamic type does not matter.
func errorDestination(fn *function, e ast.Expr) string {
	info, f := fn.info(), fn.file
	up := f.parent(e)
	for {
		paren, ok := up.(*ast.ParenExpr)
		if !ok {
			break
		}
		e, up = paren, f.parent(paren)
	}
	switch up := up.(type) {
	case *ast.ReturnStmt:
		res := signatureAround(fn, up).Results()
		i := slices.Index(up.Results, e)
		if len(up.Results) == res.Len() && isErrorType(res.At(i).Type()) {
			return ""
		}
	case *ast.AssignStmt:
		i := slices.Index(up.Rhs, e)
		if i < 0 || len(up.Lhs) != len(up.Rhs) {
			break
		}
		if up.Tok == token.DEFINE {
			return "" // by a conversion
		}
		id := rootIdent(up.Lhs[i])
		if id == nil || id.Name == "_" || stmtList(f.parent(up)) == nil || !isErrorType(info.TypeOf(up.Lhs[i])) {
			break
		}
		if v, ok := info.Uses[id].(*types.Var); !ok || v.Parent() == v.Pkg().Scope() {
			return "it is stored in the package variable " + id.Name
		}
		return ""
	}
	return "it is neither returned nor assigned to a variable of type error"
}

func isErrorType(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// signatureAround returns the signature of the function or function literal
// that n stands in.
func signatureAround(fn *function, n ast.Node) *types.Signature {
	if lit := fn.file.literal(n); lit != nil {
		return fn.info().TypeOf(lit).(*types.Signature)
	}
	return fn.obj.Signature()
}

// sameErrors returns all places of the package that make an error of the same
// format and types of operands and for which the same holds, m included: they
// share a type, whichever of them is the target.
func (p *Program) sameErrors(m *formattedError) []*formattedError {
	var all []*formattedError
	for _, f := range m.fn.file.pkg.files {
		for _, d := range f.syntax.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			obj, ok := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			for _, other := range p.formattedErrors(&function{obj: obj, decl: decl, file: f}, 0) {
				if p.readFormatted(other) == "" && other.like(m) {
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
	a, b := m.fn.info(), o.fn.info()
	if a.Types[m.format].Value.ExactString() != b.Types[o.format].Value.ExactString() || len(m.operands) != len(o.operands) {
		return false
	}
	for i, x := range m.operands {
		y := o.operands[i]
		if !types.Identical(x.typ, y.typ) || (x.text == "") != (y.text == "") ||
			x.text != "" && a.Types[x.arg].Value.ExactString() != b.Types[y.arg].Value.ExactString() {
			return false
		}
	}
	return true
}

func functionNames(all []*formattedError) string {
	var names []string
	for _, m := range all {
		if !slices.Contains(names, m.fn.obj.Name()) {
			names = append(names, m.fn.obj.Name())
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
	if m.retains() != "" {
		all = append(all, model.Obligation{Text: "the operands do not change while the error lives", How: "assumed", Why: "strings are immutable; no loaded package makes one of bytes by unsafe"})
	}
	return all
}

// retains says which strings an error keeps alive.
func (m *formattedError) retains() string {
	var kept []string
	for _, o := range m.operands {
		if b, ok := o.typ.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && o.text == "" {
			kept = append(kept, types.ExprString(o.arg))
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "the memory of " + strings.Join(kept, " and ") + ", whole, for as long as the error is kept, where a copy of the text was kept"
}
