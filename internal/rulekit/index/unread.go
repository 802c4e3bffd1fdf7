package index

import "go/types"

// Leave tells the index that code of the package is not in its syntax, and which
// names stand there. Then an answer about all uses of something that others can
// name may lack some, and is unsure.
func (ix *Index) Leave(names map[string]bool) { ix.unread = names }

// Whole reports whether the syntax has all code of the package. Where it has not,
// what is concluded from what is nowhere in it is unsure.
func (ix *Index) Whole() bool {
	whole := ix.unread == nil
	ix.unsure = ix.unsure || !whole
	return whole
}

// Ask begins a new question: what was answered so far is sure.
func (ix *Index) Ask() { ix.unsure = false }

// Unsure reports whether an answer since Ask may lack uses in code that is not in
// the syntax.
func (ix *Index) Unsure() bool { return ix.unsure }

// Seen reports whether no code that is not in the syntax names an object.
func (ix *Index) Seen(obj types.Object) bool {
	return ix.unread == nil || obj == nil || !ix.unread[obj.Name()] || local(obj)
}

// mine reports whether the package declares an object. What calls others is asked
// for to look at these calls, which generated code has none of.
func (ix *Index) mine(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f != nil && f.Pkg() == ix.pkg
}

//go:noinline
func (ix *Index) doubt(obj types.Object) { ix.unsure = ix.unsure || !ix.Seen(obj) }

// local reports whether only the function or file that declares an object can
// name it.
func local(obj types.Object) bool {
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return false
	}
	if _, ok := obj.(*types.PkgName); ok {
		return true
	}
	return obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope()
}
