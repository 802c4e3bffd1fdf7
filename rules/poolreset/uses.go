package poolreset

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A kind of object whose uses the rule can read.
type kind int

const (
	none   kind = iota
	buffer      // *bytes.Buffer, *strings.Builder
	hasher      // what has the methods of hash.Hash
	record      // a pointer to a struct with a Reset of its own
)

// A use of an object.
type use int

const (
	unknown use = iota
	put
	write
	read
	neutral
	uses
)

// kindOf returns what the rule can say of a type that has Reset().
func kindOf(t types.Type) kind {
	if !resets(t) {
		return none
	}
	if code.IsNamed(t, "bytes", "Buffer") || code.IsNamed(t, "strings", "Builder") {
		return buffer
	}
	if has(t, "Write") && (has(t, "Sum") || has(t, "Sum32") || has(t, "Sum64")) && has(t, "BlockSize") {
		return hasher
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Struct); ok {
			return record
		}
	}
	return none
}

func method(t types.Type, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, _ := obj.(*types.Func)
	return f
}

func has(t types.Type, name string) bool { return method(t, name) != nil }

// resets reports whether t has a method Reset without parameters or results.
func resets(t types.Type) bool {
	f := method(t, "Reset")
	return f != nil && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 0
}

// methods says what a method of a buffer or hash does to the content. One that
// is not here may drain or clear it. Len is not here: who asks for it may skip
// the part that was there before.
var methods = map[kind]map[string]use{
	buffer: {
		"Write": write, "WriteString": write, "WriteByte": write, "WriteRune": write, "ReadFrom": write,
		"Bytes": read, "String": read, "Grow": neutral, "Cap": neutral,
	},
	hasher: {
		"Write": write, "WriteString": write, "WriteByte": write,
		"Sum": read, "Sum32": read, "Sum64": read, "Size": neutral, "BlockSize": neutral,
	},
}

// plain reads one use of a buffer or hash: a call of a method, or an argument
// for a parameter of type io.Writer, which can only be written to.
func (t *taken) plain(cur inspector.Cursor) use {
	switch cur.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		sel := cur.Parent()
		if sel.ParentEdgeKind() != edge.CallExpr_Fun {
			return unknown
		}
		return methods[t.kind][sel.Node().(*ast.SelectorExpr).Sel.Name]
	case edge.CallExpr_Args:
		f, _ := typeutil.Callee(t.p.TypesInfo, cur.Parent().Node().(*ast.CallExpr)).(*types.Func)
		if f == nil {
			return unknown
		}
		_, i := cur.ParentEdge()
		if params := f.Signature().Params(); i < params.Len() && code.IsNamed(params.At(i).Type(), "io", "Writer") {
			return write
		}
	}
	return unknown
}

// field reads one use of a struct, which must be of a field. In fields it
// notes the fields that are seen, and which of them only ever grow.
func (t *taken) field(cur inspector.Cursor, fields map[*types.Var]bool) use {
	if cur.ParentEdgeKind() != edge.SelectorExpr_X {
		return unknown
	}
	sel := cur.Parent()
	f, ok := t.p.TypesInfo.Uses[sel.Node().(*ast.SelectorExpr).Sel].(*types.Var)
	if !ok {
		return unknown // a method may reset
	}
	switch sel.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		assign := sel.Parent().Node().(*ast.AssignStmt)
		if !t.appends(assign, sel.Node().(ast.Expr)) {
			return unknown // overwritten
		}
		fields[f] = true
		return neutral
	case edge.IndexExpr_X:
		elem := sel.Parent()
		if elem.ParentEdgeKind() == edge.AssignStmt_Lhs {
			if _, ok := f.Type().Underlying().(*types.Map); !ok {
				return unknown
			}
			fields[f] = true
			return neutral
		}
		if elem.ParentEdgeKind() == edge.UnaryExpr_X {
			return unknown
		}
		return t.reads(f, fields)
	case edge.RangeStmt_X:
		return t.reads(f, fields)
	case edge.CallExpr_Args:
		return t.argument(sel, f, fields)
	}
	return unknown
}

func (t *taken) reads(f *types.Var, fields map[*types.Var]bool) use {
	fields[f] = fields[f] || false
	return read
}

// appends reports whether an assignment is x.f = append(x.f, …) for lhs x.f.
func (t *taken) appends(assign *ast.AssignStmt, lhs ast.Expr) bool {
	if assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
		return false
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	return ok && code.Builtin(t.p.TypesInfo, call) == "append" && same(t.p.TypesInfo, call.Args[0], lhs)
}

// argument reads a field that is an argument: of append to itself, or of a
// function that takes it as a slice to look at.
func (t *taken) argument(sel inspector.Cursor, f *types.Var, fields map[*types.Var]bool) use {
	call := sel.Parent().Node().(*ast.CallExpr)
	switch code.Builtin(t.p.TypesInfo, call) {
	case "append":
		if call.Args[0] == sel.Node() && sel.Parent().ParentEdgeKind() != edge.AssignStmt_Rhs {
			return unknown
		}
		if call.Args[0] == sel.Node() {
			return neutral
		}
		return t.reads(f, fields)
	case "":
		if b, ok := f.Type().Underlying().(*types.Slice); ok && types.Identical(b.Elem(), types.Typ[types.Byte]) {
			return t.reads(f, fields)
		}
		if isStrings(f.Type()) && code.IsFunc(t.p.TypesInfo, call, "strings", "Join") {
			return t.reads(f, fields)
		}
	}
	return unknown
}

func isStrings(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.String])
}
