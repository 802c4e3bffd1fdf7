// Package readall finds a stream that is read whole only to be decoded,
// copied or written on.
package readall

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "readall",
	Title: "io.ReadAll of what could be streamed",
	IDs:   []string{"C31"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.B, Go: "go1.16",
	Why: "ReadAll holds the whole stream in memory and grows its buffer on the way; a conversion to string copies it once more. io.Copy needs 32 KiB " +
		"at any length.",
	WhenNot: "The bytes are used twice (to check a signature, to log, to decode again), the reader is limited to 64 KiB or less by a constant, or " +
		"something stands between reading and use.",
	Gap: "A json.Decoder buffers a whole value too, so that decoding gains memory, not time: 0.96 times for 64 KB of JSON, and slower for 100 bytes. " +
		"It accepts data after the value, which json.Unmarshal does not. The fix checks for that data, but after the value has been stored. Empty " +
		"input gives io.EOF instead of a syntax error. io.Copy writes what it has read before a read fails. A string of the bytes is reported without " +
		"a fix.",
	Signature: "io.ReadAll and runtime.growslice below it, and runtime.slicebytetostring, in alloc_space profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkForward", Metric: "cpu",
		Claimed: "reading a whole body and converting it makes avoidable allocations on request paths",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	x := &fixer{p: p, given: map[string]bool{}}
	for _, pkg := range []string{"io", "io/ioutil"} {
		for cur, call := range p.Index.Calls(pkg, "ReadAll") {
			if r := look(p, cur, call); r != nil {
				x.report(r)
			}
			for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) {
				if r := look(p, at, outer); r != nil {
					r.apart = true
					x.report(r)
				}
			}
		}
	}
}

// A reading is one ReadAll whose bytes are used once, at once.
type reading struct {
	call   *ast.CallExpr
	stmt   inspector.Cursor // b, err := io.ReadAll(r)
	assign *ast.AssignStmt
	check  *ast.IfStmt // that follows and leaves; nil where the error is dropped
	err    *types.Var  // nil where it is dropped
	apart  bool        // another function reads, or variables are declared before the use

	use  *ast.CallExpr    // the call that gets the bytes, or the conversion
	at   inspector.Cursor // of use
	next ast.Stmt         // the statement that holds use
	kind kind
	dest ast.Expr // of a write
}

type kind int

const (
	decode  kind = iota // json.Unmarshal(b, &v)
	forward             // w.Write(b)
	convert             // string(b)
	again               // bufio.NewScanner(bytes.NewReader(b))
)

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *reading {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || assign.Tok != token.DEFINE || len(call.Args) == 0 || small(p.TypesInfo, call.Args[0]) {
		return nil
	}
	stmt, ok := code.Stmt(cur)
	id, isID := assign.Lhs[0].(*ast.Ident)
	if !ok || stmt.Node() != ast.Node(assign) || !isID || p.TypesInfo.Defs[id] == nil {
		return nil
	}
	uses := p.Index.Uses(p.TypesInfo.Defs[id])
	if len(uses) != 1 {
		return nil
	}
	r := &reading{call: call, stmt: stmt, assign: assign}
	if errID, ok := assign.Lhs[1].(*ast.Ident); ok && errID.Name != "_" {
		r.err = code.Var(p.TypesInfo, errID)
	}
	if !r.used(p, uses[0]) || !r.follows(p) {
		return nil
	}
	return r
}

// small reports whether a reader is limited to 64 KiB or less by a constant.
func small(info *types.Info, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	k, ok := code.Int(info, call.Args[len(call.Args)-1])
	limits := code.IsFunc(info, call, "io", "LimitReader") || code.IsFunc(info, call, "net/http", "MaxBytesReader")
	return limits && ok && k <= 64<<10
}

// used reads the one use of the bytes.
func (r *reading) used(p *rule.Pass, at inspector.Cursor) bool {
	if at.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	r.at = at.Parent()
	r.use = r.at.Node().(*ast.CallExpr)
	converted := false
	if tv := p.TypesInfo.Types[r.use.Fun]; tv.IsType() {
		if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			return false
		}
		r.kind, converted = convert, true
		if r.at.ParentEdgeKind() != edge.CallExpr_Args {
			return !compared(r.at)
		}
	}
	call, ok := r.use, true
	if converted {
		call, ok = r.at.Parent().Node().(*ast.CallExpr)
	}
	switch sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
	case !ok:
	case streams(p.TypesInfo, r.at, call):
		r.kind = again
	case code.IsFunc(p.TypesInfo, call, "encoding/json", "Unmarshal") && !converted:
		r.kind = decode
	case code.IsFunc(p.TypesInfo, call, "io", "WriteString"), code.IsFunc(p.TypesInfo, call, "fmt", "Fprint") && len(call.Args) == 2:
		r.kind, r.dest = forward, call.Args[0]
	case sel != nil && sel.Sel.Name == "Write" && !converted && writer(p.TypesInfo, sel.X):
		r.kind, r.dest = forward, sel.X
	default:
		return converted
	}
	if converted && r.kind == forward {
		r.at, r.use = r.at.Parent(), call
	}
	return r.kind != forward || !memory(p.TypesInfo, r.dest)
}

// streams reports whether a call makes a reader of bytes, or of a string, only for
// another to read it piece by piece.
func streams(info *types.Info, at inspector.Cursor, call *ast.CallExpr) bool {
	if !code.IsFunc(info, call, "bytes", "NewReader") && !code.IsFunc(info, call, "bytes", "NewBuffer") && !code.IsFunc(info, call, "strings", "NewReader") {
		return false
	}
	for at.Node() != ast.Node(call) {
		at = at.Parent()
	}
	outer, ok := at.Parent().Node().(*ast.CallExpr)
	if !ok || at.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	f := code.Callee(info, outer)
	return f != nil && readers[f.FullName()]
}

// readers are the functions whose result reads what it is given as it goes.
var readers = code.Set("bufio.NewScanner bufio.NewReader encoding/json.NewDecoder encoding/xml.NewDecoder encoding/gob.NewDecoder encoding/csv.NewReader " +
	"compress/gzip.NewReader archive/tar.NewReader")

// compared reports whether a conversion is one that the compiler makes without
// a copy: an operand of a comparison, a map key, the operand of a switch.
func compared(cur inspector.Cursor) bool {
	switch cur.Parent().Node().(type) {
	case *ast.BinaryExpr, *ast.IndexExpr, *ast.SwitchStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// writer reports whether x is an io.Writer.
func writer(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Write")
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Params().Len() == 1 && f.Signature().Results().Len() == 2
}

// memory reports whether x is a writer that keeps what it gets, so that
// nothing is gained, or a hash, whose writes cannot fail half-way.
func memory(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	return code.IsNamed(t, "bytes", "Buffer") || code.IsNamed(t, "strings", "Builder")
}

// follows reports whether the use comes right after the reading and the check
// of its error.
func (r *reading) follows(p *rule.Pass) bool {
	stmt, ok := code.Stmt(r.at)
	if !ok {
		return false
	}
	r.next = stmt.Node().(ast.Stmt)
	rest := code.Following(r.stmt)
	if len(rest) > 0 && r.err != nil {
		if i, ok := rest[0].(*ast.IfStmt); ok && i.Init == nil && i.Else == nil && code.Departs(i.Body) && code.Mentions(p.TypesInfo, i.Cond, r.err) {
			r.check = i
			rest = rest[1:]
		}
	}
	for len(rest) > 0 && rest[0] != r.next && declares(rest[0]) {
		r.apart, rest = true, rest[1:]
	}
	return len(rest) > 0 && rest[0] == r.next && (r.err == nil || r.check != nil)
}

// declares reports whether a statement declares a variable without a value.
func declares(stmt ast.Stmt) bool {
	name, _, value := code.Declared(stmt)
	return name != nil && value == nil
}
