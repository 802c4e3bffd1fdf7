package gomaxprocs

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// alone reports whether a call is a statement, or assigned to _: who keeps
// the old value sets it again.
func alone(cur inspector.Cursor) bool {
	switch n := cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		id, ok := n.Lhs[0].(*ast.Ident)
		return ok && len(n.Lhs) == 1 && id.Name == "_"
	}
	return false
}

// asked reports whether code is in a loop, or in a branch that something other
// than the number of processors decides on.
func asked(p *rule.Pass, cur inspector.Cursor) bool {
	if _, ok := code.Loop(cur); ok {
		return true
	}
	at := cur.Node()
	for up := range cur.Enclosing((*ast.IfStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil), (*ast.FuncDecl)(nil)) {
		switch n := up.Node().(type) {
		case *ast.FuncDecl:
			return false
		case *ast.IfStmt:
			if !processors(p, n) && !code.Within(n.Init, at) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// processors reports whether a branch asks how many processors there are, or
// whether GOMAXPROCS is set: if os.Getenv("GOMAXPROCS") == "".
func processors(p *rule.Pass, branch *ast.IfStmt) bool {
	asks := func(n ast.Node) bool {
		return code.Any(n, func(lit *ast.BasicLit) bool { return strings.Contains(lit.Value, "GOMAXPROCS") }) || code.Any(n, func(call *ast.CallExpr) bool {
			return code.IsFunc(p.TypesInfo, call, "runtime", "GOMAXPROCS") || code.IsFunc(p.TypesInfo, call, "runtime", "NumCPU")
		})
	}
	return branch.Init != nil && asks(branch.Init) || asks(branch.Cond)
}

// machine reports whether an expression is made of runtime.NumCPU and
// constants alone.
func machine(p *rule.Pass, cur inspector.Cursor, x ast.Expr) bool {
	if tv := p.TypesInfo.Types[x]; tv.Value != nil {
		return false
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, fn := code.Var(p.TypesInfo, x), ast.Node(nil)
		if f, ok := code.Func(cur); ok {
			fn = f.Node()
		}
		if v == nil || fn == nil {
			return false
		}
		_, value := code.Origin(p.Index, p.TypesInfo, fn, v)
		return value != nil && machine(p, cur, value)
	case *ast.BinaryExpr:
		return either(p, cur, x.X, x.Y)
	case *ast.CallExpr:
		if code.IsFunc(p.TypesInfo, x, "runtime", "NumCPU") {
			return true
		}
		least, most := code.IsBuiltin(p.TypesInfo, x, "min"), code.IsBuiltin(p.TypesInfo, x, "max")
		return (least || most || p.TypesInfo.Types[x.Fun].IsType()) && either(p, cur, x.Args...)
	}
	return false
}

// either reports whether one of the expressions is the machine's number and
// the others are so too, or constants.
func either(p *rule.Pass, cur inspector.Cursor, xs ...ast.Expr) bool {
	some := false
	for _, x := range xs {
		if machine(p, cur, x) {
			some = true
		} else if p.TypesInfo.Types[x].Value == nil {
			return false
		}
	}
	return some
}

// starts reports whether code is in main or an init.
func starts(p *rule.Pass, cur inspector.Cursor) bool {
	decl, _ := code.Decl(p.TypesInfo, cur)
	fn, ok := code.Func(cur)
	return ok && decl != nil && fn.Node() == decl && decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main" && p.Pkg.Name() == "main")
}

// serving are functions and methods that begin to serve.
var serving = [][3]string{
	{"net/http", "", "ListenAndServe"}, {"net/http", "", "ListenAndServeTLS"}, {"net/http", "", "Serve"}, {"net/http", "", "ServeTLS"},
	{"net/http", "Server", "ListenAndServe"}, {"net/http", "Server", "ListenAndServeTLS"}, {"net/http", "Server", "Serve"}, {"net/http", "Server", "ServeTLS"},
	{"net", "", "Listen"}, {"net", "", "ListenTCP"}, {"net", "", "ListenUDP"}, {"net", "", "ListenPacket"}, {"net", "ListenConfig", "Listen"},
	{"crypto/tls", "", "Listen"}, {"google.golang.org/grpc", "", "NewServer"},
}

// serves reports whether the package listens for requests.
func serves(p *rule.Pass) bool {
	for _, s := range serving {
		calls := p.Index.Method(s[0], s[1], s[2])
		if s[1] == "" {
			calls = p.Index.Calls(s[0], s[2])
		}
		for range calls {
			return true
		}
	}
	return false
}
