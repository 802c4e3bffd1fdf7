package logargs

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// costly are the functions that are expensive as such: they format, encode or
// join what may be large.
var costly = code.Set(
	"fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln", "encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/xml.Marshal",
	"encoding/xml.MarshalIndent", "encoding/hex.Dump", "strings.Join", "net/url.URL.String", "net/url.Values.Encode",
	"github.com/davecgh/go-spew/spew.Sdump", "github.com/davecgh/go-spew/spew.Sprintf", "github.com/kr/pretty.Sprint",
	"google.golang.org/protobuf/encoding/protojson.Format", "google.golang.org/protobuf/encoding/prototext.Format",
	"google.golang.org/protobuf/encoding/protojson.Marshal", "google.golang.org/protobuf/encoding/prototext.Marshal",
)

// formats are those whose only effects can be those of methods of the values
// they are given.
var formats = code.Set("fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln", "encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/hex.Dump",
	"strings.Join", "net/url.URL.String", "net/url.Values.Encode")

// builders are methods that write to their receiver only, which must then be a
// local variable.
var builders = code.Set("strings.Builder.WriteString", "strings.Builder.WriteByte", "strings.Builder.WriteRune", "strings.Builder.Grow",
	"strings.Builder.String", "strings.Builder.Len", "bytes.Buffer.WriteString", "bytes.Buffer.WriteByte", "bytes.Buffer.WriteRune",
	"bytes.Buffer.String", "bytes.Buffer.Len", "bytes.Buffer.Bytes", "bytes.Buffer.Write")

// locks are methods that leave nothing behind when they come in pairs.
var locks = code.Set("sync.Mutex.Lock", "sync.Mutex.Unlock", "sync.RWMutex.RLock", "sync.RWMutex.RUnlock", "sync.RWMutex.Lock", "sync.RWMutex.Unlock")

// inert reports whether formatting or encoding a value of a type calls no
// method that the program defines.
func inert(t types.Type) bool {
	const endless = true // one that refers to itself may do so without end
	return !code.Deep(t, endless, func(t types.Type, in func(types.Type) bool) bool {
		if n, ok := types.Unalias(t).(*types.Named); ok {
			if pkg := n.Obj().Pkg(); pkg != nil && (pkg.Path() == "time" || pkg.Path() == "net/netip") {
				return types.IsInterface(t)
			}
			for _, m := range []string{"String", "Error", "Format", "GoString", "MarshalJSON", "MarshalText"} {
				if obj, _, _ := types.LookupFieldOrMethod(t, true, n.Obj().Pkg(), m); obj != nil {
					return true
				}
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return false
		case *types.Slice, *types.Array, *types.Pointer, *types.Map, *types.Struct:
			return code.Parts(u, in)
		}
		return true
	})
}

// A verdict is what was seen of a function of the package.
type verdict struct {
	reads bool // changes nothing outside itself, as far as it goes
	costs bool // has a loop, or calls what is costly
}

// A reader reads the package's functions.
type reader struct {
	p     *rule.Pass
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func]verdict
}

// function reads a function of the package, and what it calls, three deep.
func (r *reader) function(f *types.Func, depth int) verdict {
	f = f.Origin()
	if v, ok := r.known[f]; ok || depth > 3 || f.Pkg() != r.p.Pkg {
		return v
	}
	if r.decls == nil {
		r.decls = map[*types.Func]*ast.FuncDecl{}
		for _, file := range r.p.Files {
			for _, d := range file.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					if obj, ok := r.p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
						r.decls[obj] = fd
					}
				}
			}
		}
	}
	fd := r.decls[f]
	if fd == nil {
		return verdict{}
	}
	// While it is being read, a call of itself is taken to read only, and to cost. Where
	// that turns out wrong, what was learned meanwhile is forgotten.
	before := maps.Clone(r.known)
	r.known[f] = verdict{reads: true, costs: true}
	v := r.body(fd, depth)
	if !v.reads {
		r.known = before
	}
	r.known[f] = v
	return v
}

// body reads the body of a function.
func (r *reader) body(fd *ast.FuncDecl, depth int) verdict {
	v := verdict{reads: true}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
			v.reads = false
		case *ast.UnaryExpr:
			v.reads = v.reads && n.Op != token.ARROW
		case *ast.ForStmt:
			v.costs = true
		case *ast.RangeStmt:
			v.costs = v.costs || r.p.TypesInfo.Types[n.X].Value == nil
			if u := r.p.TypesInfo.TypeOf(n.X).Underlying(); !ranges(u) {
				v.reads = false
			}
		case *ast.CallExpr:
			reads, costs := r.call(fd, n, depth)
			v.reads, v.costs = v.reads && reads, v.costs || costs
		}
		v.reads = v.reads && !slices.ContainsFunc(code.Assigned(n), func(to ast.Expr) bool { return !r.own(fd, to) })
		return v.reads
	})
	return v
}

// ranges reports whether ranging over a type calls nothing and takes nothing.
func ranges(u types.Type) bool {
	switch u.(type) {
	case *types.Chan, *types.Signature:
		return false
	}
	return true
}

func (r *reader) call(fd *ast.FuncDecl, call *ast.CallExpr, depth int) (reads, costs bool) {
	e := r.p.ResultOf[effects.Analyzer].(*effects.Effects)
	if b, ok := typeutil.Callee(r.p.TypesInfo, call).(*types.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max", "make", "new", "append":
			return true, false
		}
		return false, false
	}
	f := typeutil.StaticCallee(r.p.TypesInfo, call)
	if f == nil {
		return e.Call(call).Pure || texts(code.Callee(r.p.TypesInfo, call)), false
	}
	switch full := code.FullName(f); {
	case formats[full]:
		return true, true
	case full == "fmt.Fprintf" || full == "fmt.Fprint" || full == "fmt.Fprintln":
		u, ok := call.Args[0].(*ast.UnaryExpr)
		return ok && u.Op == token.AND && r.own(fd, u.X), true
	case builders[full]:
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && r.own(fd, sel.X), false
	case locks[full] || e.Call(call).Pure:
		return true, false
	}
	v := r.function(f, depth+1)
	return v.reads, v.costs
}

// texts reports whether a method says what a value is as text, as that of an error does.
func texts(f *types.Func) bool {
	return f != nil && (f.Name() == "Error" || f.Name() == "String") && f.Signature().Params().Len() == 0 &&
		f.Signature().Results().Len() == 1 && code.IsString(f.Signature().Results().At(0).Type())
}

// own reports whether writing to x stays within the function: x is a variable
// that it declares, or an element of one that it made.
func (r *reader) own(fd *ast.FuncDecl, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		if x.Name == "_" {
			return true
		}
		v, ok := r.p.TypesInfo.ObjectOf(x).(*types.Var)
		return ok && code.Declares(fd, v)
	case *ast.IndexExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && r.made(fd, id)
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok {
			return false
		}
		_, value := r.p.TypesInfo.TypeOf(id).Underlying().(*types.Struct)
		return value && r.own(fd, id)
	}
	return false
}

// made reports whether a slice or map is declared in the body with make, a
// literal or nothing.
func (r *reader) made(fd *ast.FuncDecl, id *ast.Ident) bool {
	obj := r.p.TypesInfo.ObjectOf(id)
	declared, other := false, false
	value := func(x ast.Expr) {
		fresh := x == nil || r.fresh(x, obj)
		declared, other = declared || fresh, other || !fresh
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if l, ok := lhs.(*ast.Ident); ok && r.p.TypesInfo.ObjectOf(l) == obj {
					if len(n.Lhs) != len(n.Rhs) {
						other = true
					} else {
						value(n.Rhs[i])
					}
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if l, ok := x.(*ast.Ident); ok && r.p.TypesInfo.ObjectOf(l) == obj {
					other = true
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if r.p.TypesInfo.Defs[name] != obj {
					continue
				}
				if len(n.Values) == len(n.Names) {
					value(n.Values[i])
				} else if len(n.Values) == 0 {
					value(nil)
				} else {
					other = true
				}
			}
		}
		return true
	})
	return declared && !other
}

// fresh reports whether x is new memory, or what append gives of v itself.
func (r *reader) fresh(x ast.Expr, v types.Object) bool {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		b, ok := typeutil.Callee(r.p.TypesInfo, x).(*types.Builtin)
		if !ok {
			return false
		}
		id, isID := x.Args[0].(*ast.Ident)
		return b.Name() == "make" || b.Name() == "append" && isID && r.p.TypesInfo.ObjectOf(id) == v
	}
	return false
}
