package inline

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
)

// Split leaves the fast returns at the top of a function in it and moves
// the rest to a function of its own, so that the compiler can inline the top.
var Split = prove.Transformation{
	Name:     "split-fast-path",
	Doc:      "A function that begins with if fast { return x } and goes on at length keeps that beginning, and the rest becomes a function of its own, so that calls can be inlined. So does a branch that fails or makes room, where little else is in the function.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "split-fast-path", "BenchmarkSum", "cpu", "no call where the fast return does", 0),
	// It looks at the function that the target's line is at the top of. It
	// may be split behind any of its fast returns: the more stay, the less can be
	// inlined.
	Propose: prove.At(prove.Unless(inlinedHere, prove.Here), func(s *prove.Site) {
		if strings.HasSuffix(s.Fn.Obj.Name(), "Slow") {
			return
		}
		for _, sp := range splits(s.Program, s.Fn) {
			if answersAt(s.Program, sp, s.At.Line) {
				ch, why := proposeSplit(s.Program, sp)
				s.AddAt(s.Pos(s.Fn.Decl.Pos()), s.Fn.Obj.Name()+" cannot be split behind its fast returns", ch, why)
			}
		}
		if sp, branch := branchOf(s.Fn); sp != nil && (s.At.Line < s.Pos(sp.rest[0].Pos()).Line || s.At.Line > s.Pos(branch.End()).Line) {
			ch, why := proposeBranch(s.Program, sp, branch)
			s.AddAt(s.Pos(s.Fn.Decl.Pos()), s.Fn.Obj.Name()+" has a branch that keeps it from being inlined", ch, why)
		}
	}),
}

// maxFast is how many nodes of syntax the top of a function may have: the
// compiler has 80 for a function that it inlines, and the call of the rest
// takes most of them. It says later whether that was enough.
const maxFast = 64

// A split is a function and where it is taken apart.
type split struct {
	*prove.Function
	quick  int // how many fast returns stay
	rest   []ast.Stmt
	extras []*types.Var // variables of the top that the rest uses
}

// answersAt reports whether one of the fast returns covers a line: the line
// that every call begins with says nothing about which way it goes on.
func answersAt(p *prove.Program, sp *split, line int) bool {
	return slices.ContainsFunc(sp.Decl.Body.List[:len(sp.Decl.Body.List)-len(sp.rest)], func(s ast.Stmt) bool { return p.Covers(s, line) })
}

// inlinedHere reports whether the compiler has inlined the function of the
// target's line already.
func inlinedHere(t model.Target) bool {
	for _, f := range t.Stack {
		if f.Pos() == t.At {
			return f.Inline
		}
	}
	return false
}

// splits returns the ways to take a function apart, the one that leaves most
// of it first.
func splits(p *prove.Program, fn *prove.Function) []*split {
	var all []*split
	size, count := 0, 0
	for i, stmt := range fn.Decl.Body.List {
		quick := answers(fn.Info(), stmt)
		if quick {
			count++
		}
		if size += nodes(stmt); !quick && !prepares(stmt) || size > maxFast {
			break
		}
		if rest := fn.Decl.Body.List[i+1:]; quick && longer(rest) {
			all = append([]*split{{Function: fn, quick: count, rest: rest}}, all...)
		}
	}
	return all
}

// nodes counts the nodes of syntax in a statement.
func nodes(stmt ast.Stmt) (size int) {
	for range code.All[ast.Node](stmt) {
		size++
	}
	return size
}

// answers reports whether a statement returns under a condition, and does
// nothing else that the rest could see. What it calls must be cheap: builtins
// and conversions.
func answers(info *types.Info, stmt ast.Stmt) bool {
	n, ok := stmt.(*ast.IfStmt)
	if !ok || n.Else != nil || len(n.Body.List) == 0 || n.Init != nil && !prepares(n.Init) {
		return false
	}
	ret, ok := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt)
	if !ok || fails(info, n.Cond) || len(ret.Results) > 0 && fails(info, ret.Results[len(ret.Results)-1]) {
		return false
	}
	for _, s := range n.Body.List[:len(n.Body.List)-1] {
		switch s.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
		default:
			return false
		}
	}
	return !code.Any(n.Body, func(call *ast.CallExpr) bool { // where an error or a fallback is made, it is not the common case
		return !info.Types[call.Fun].IsType() && code.Builtin(info, call) == "" && !atomicLoad(info, call)
	})
}

// fails reports whether e is an error, or a condition on one.
func fails(info *types.Info, e ast.Expr) bool {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		return fails(info, b.X) || fails(info, b.Y)
	}
	return !code.IsNil(info, e) && code.IsError(info.TypeOf(e))
}

func atomicLoad(info *types.Info, call *ast.CallExpr) bool {
	fn := code.Callee(info, call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && strings.HasPrefix(fn.Name(), "Load")
}

// prepares reports whether a statement only defines variables or sets local
// ones.
func prepares(stmt ast.Stmt) bool {
	switch n := stmt.(type) {
	case *ast.AssignStmt:
		return !slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool {
			_, ok := l.(*ast.Ident)
			return !ok
		})
	case *ast.DeclStmt:
		gen, ok := n.Decl.(*ast.GenDecl)
		return ok && gen.Tok == token.VAR
	}
	return false
}

// longer reports whether statements may be too much for a function that is to
// be inlined: a loop, several calls or a good many words.
func longer(rest []ast.Stmt) bool {
	size, work := 0, false
	for _, stmt := range rest {
		size += nodes(stmt)
		work = work || code.Any(stmt, func(*ast.CallExpr) bool { return true }) || code.Any(stmt, func(s ast.Stmt) bool { return code.Body(s) != nil })
	}
	return size > 40 || len(rest) > 1 && work
}

func proposeSplit(p *prove.Program, sp *split) (*model.Change, *prove.Reason) {
	if why := splittable(p, sp); why != nil {
		return nil, why
	}
	stack, why := stackBlind(p, sp.Function)
	if why != nil {
		return nil, why
	}
	name := code.LowerName(sp.Obj.Name()) + "Slow"
	if !p.Free(sp.File.Pkg, name) {
		return nil, prove.Refuse("the name " + name + " is taken")
	}
	edits, err := p.Settle([]model.Edit{splitEdit(p, sp, name)})
	if err != nil {
		return nil, prove.Refuse(err.Error())
	}
	return &model.Change{
		ID: prove.ChangeID("split-fast-path", fmt.Sprint(sp.Obj.FullName(), " ", sp.quick), edits), Kind: "split-fast-path", Class: "B",
		Title: fmt.Sprintf("%s: keep %s of %s inlinable, move the rest to %s", sp.File.Pkg.Name, answersText(sp.quick), sp.Obj.Name(), name),
		Edits: edits, Inlines: &model.Declared{File: sp.File.Name, Name: nameInNotes(sp.Function)},
		Obligations: []model.Obligation{
			{Text: "the same is done in the same order", How: "proven", Why: "the rest follows its beginning as before, with the same variables; nothing is deferred in it"},
			stack,
		},
	}, nil
}

func answersText(n int) string {
	if n == 1 {
		return "the fast return"
	}
	return fmt.Sprintf("the %d fast returns", n)
}

// nameInNotes returns the function's name as the compiler's notes have it.
func nameInNotes(fn *prove.Function) string {
	recv := fn.Obj.Signature().Recv()
	if recv == nil {
		return fn.Obj.Name()
	}
	if _, ptr := recv.Type().(*types.Pointer); ptr {
		return "(*" + code.ReceiverName(fn.Obj) + ")." + fn.Obj.Name()
	}
	return code.ReceiverName(fn.Obj) + "." + fn.Obj.Name()
}

// splitEdit ends the function behind its fast returns and begins the other
// one there: the rest stays where it is.
func splitEdit(p *prove.Program, sp *split, name string) model.Edit {
	first, more := sp.handed(p)
	call, head := moved(p, sp.Function, name, first, more)
	old := sp.Obj.Name()
	text := fmt.Sprintf("\t%s\n}\n\n// %s is what %s does where it has no fast return. It is apart\n// so that %s can be inlined.\n%s {\n", call, name, old, old, head)
	at := restStart(p, sp)
	return model.Edit{File: sp.File.Name, Start: at, End: at, New: text}
}

// handed returns the variables that the rest uses, as arguments and as parameters.
func (sp *split) handed(p *prove.Program) (args, params []string) {
	for _, v := range sp.extras {
		args, params = append(args, v.Name()), append(params, v.Name()+" "+p.TypeText(sp.Function, v.Type(), nil))
	}
	return args, params
}

// moved returns the statement that calls what a function becomes that has the parameters of another, and some more, and
// its head. The additional ones are in front: the last parameter may be variadic.
func moved(p *prove.Program, fn *prove.Function, name string, args, params []string) (call, head string) {
	f, decl := fn.File, fn.Decl
	recv, call := "", name
	if decl.Recv != nil {
		recv = string(f.Src[p.Offset(decl.Recv.Pos()):p.Offset(decl.Recv.End())]) + " "
		call = decl.Recv.List[0].Names[0].Name + "." + name
	}
	for v := range fn.Obj.Signature().Params().Variables() {
		args = append(args, v.Name())
	}
	if fn.Obj.Signature().Variadic() {
		args[len(args)-1] += "..."
	}
	open, shut := p.Offset(decl.Type.Params.Opening)+1, p.Offset(decl.Type.Params.Closing)
	if old := strings.TrimSuffix(strings.TrimSpace(string(f.Src[open:shut])), ","); old != "" {
		params = append(params, old)
	}
	leave, results := "", ""
	if r := decl.Type.Results; r != nil && len(r.List) > 0 {
		leave, results = "return ", " "+string(f.Src[p.Offset(r.Pos()):p.Offset(r.End())])
	}
	return fmt.Sprintf("%s%s(%s)", leave, call, strings.Join(args, ", ")), fmt.Sprintf("func %s%s(%s)%s", recv, name, strings.Join(params, ", "), results)
}

// restStart returns where the rest starts, with the comments above it: the
// line behind the last fast return.
func restStart(p *prove.Program, sp *split) int {
	before := sp.Decl.Body.List[len(sp.Decl.Body.List)-len(sp.rest)-1]
	at := p.Offset(before.End())
	for at < len(sp.File.Src) && sp.File.Src[at] != '\n' {
		at++
	}
	at++
	for at < len(sp.File.Src) && sp.File.Src[at] == '\n' {
		at++
	}
	return at
}
