package storage

import (
	"fmt"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// edits empties the field. What its elements point to is not kept.
func (r *refill) edits(p *prove.Program) ([]model.Edit, *prove.Reason) {
	f, x, pos := r.fn.File, types.ExprString(r.lhs), r.assign.Pos()
	slice, _ := r.field.Type().Underlying().(*types.Slice)
	pointers := slice == nil || !prove.Plain(slice.Elem())
	emptied := r.emptied(p, x)
	switch {
	case !code.Predeclared(r.fn.Obj.Pkg(), pos, "cap", "len", "max", "nil"):
		return nil, prove.Refuse("one of cap, len, max and nil means something else there")
	case emptied == "" && (pointers || r.length), !p.GoAtLeast(f, "go1.21") && pointers && r.length:
		return nil, prove.Refuse("the module's Go has no clear, or it means something else there")
	case r.isMap():
		return []model.Edit{p.Insert(f, pos, "if "+x+" == nil {\n"), p.Insert(f, r.assign.End(), "\n} else {\n"+emptied+"\n}")}, nil
	case r.made():
		return r.resized(p, x, emptied, pointers)
	}
	edits := []model.Edit{p.Put(f, r.rhs.Pos(), r.rhs.End(), x+"[:0]")}
	if pointers {
		edits = append(edits, p.Insert(f, pos, emptied+"\n"))
	}
	return edits, nil
}

// emptied writes what takes the entries out of a map, or makes all elements of a slice zero. The compiler makes one call of
// the loops that old releases need; "" where there is no such loop.
func (r *refill) emptied(p *prove.Program, x string) string {
	if p.GoAtLeast(r.fn.File, "go1.21") && code.Predeclared(r.fn.Obj.Pkg(), r.assign.Pos(), "clear") {
		return "clear(" + x + ")"
	}
	if r.isMap() && !code.Predeclared(r.fn.Obj.Pkg(), r.assign.Pos(), "delete") {
		return ""
	}
	return code.Emptied(x, r.field.Type(), code.FreeLocal(r.fn.Decl, "i"), "")
}

// resized makes a slice only where the field's has too little room.
func (r *refill) resized(p *prove.Program, x, emptied string, pointers bool) ([]model.Edit, *prove.Reason) {
	f, info := r.fn.File, r.fn.Info()
	n, known := prove.ConstInt(info, r.size)
	size, head := fmt.Sprint(n), ""
	if !known {
		if t := info.TypeOf(r.size); t != types.Typ[types.Int] {
			return nil, prove.Refusef("its size is of type %s", t)
		}
		size = code.FreeLocal(r.fn.Decl, "n")
		head = size + " := " + p.Source(f, r.size) + "; " + x + " != nil && 0 <= " + size + " && "
	}
	then := x + " = " + x + "[:" + size + "]\n" + emptied
	switch {
	case !r.length && pointers:
		then = emptied + "\n" + x + " = " + x + "[:0]"
	case !r.length:
		then = x + " = " + x + "[:0]"
	case pointers: // what is behind the new end must not be kept either
		then = "clear(" + x + "[:max(" + size + ", len(" + x + "))])\n" + x + " = " + x + "[:" + size + "]"
	}
	return []model.Edit{
		p.Insert(f, r.assign.Pos(), "if "+head+size+" <= cap("+x+") {\n"+then+"\n} else {\n"),
		p.Put(f, r.size.Pos(), r.size.End(), size),
		p.Insert(f, r.assign.End(), "\n}"),
	}, nil
}
