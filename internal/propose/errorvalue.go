package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// errorValue turns errors that are pointers to a small struct into the struct:
// its methods get value receivers, and the package uses values throughout.
type errorValue struct{ savesAllocs }

// Name is the kind of the changes.
func (errorValue) Name() string { return "error-value" }

// Doc describes the transformation.
func (errorValue) Doc() string {
	return "An error that is a pointer to a one-word struct of an unexported type becomes the struct itself, which an interface holds without an allocation where the word is small."
}

// Evidence is the proof that it pays.
func (errorValue) Evidence() *rule.Evidence {
	return proof("error-value", "BenchmarkParse", "allocs", "no allocation for values below 256", 0)
}

// Propose looks at the literals on the lines of the target and of the module's
// frames that allocate.
func (v errorValue) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: v.Name(), target: t}
	p.eachPlace(makingPlaces(t), func(fn *function, at model.Pos) {
		for _, lit := range p.errorPointers(fn, at.Line) {
			ch, why := v.propose(p, fn, lit)
			o.add(at, types.ExprString(lit.Type)+" is allocated for each error", ch, why)
		}
	})
	return o.changes, o.refusals
}

// errorPointers returns the literals on a line whose address is an error: of
// struct types of the same package.
func (p *Program) errorPointers(fn *function, line int) []*ast.CompositeLit {
	var found []*ast.CompositeLit
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if !ok || u.Op != token.AND || !p.covers(u, line) {
			return true
		}
		lit, ok := ast.Unparen(u.X).(*ast.CompositeLit)
		if !ok || lit.Type == nil || !implementsError(fn.info().TypeOf(u)) {
			return true
		}
		named, ok := types.Unalias(fn.info().TypeOf(lit)).(*types.Named)
		if _, isStruct := fn.info().TypeOf(lit).Underlying().(*types.Struct); ok && isStruct && named.Obj().Pkg() == fn.obj.Pkg() {
			found = append(found, lit)
		}
		return true
	})
	return found
}

func (v errorValue) propose(p *Program, fn *function, lit *ast.CompositeLit) (*model.Change, string) {
	named := types.Unalias(fn.info().TypeOf(lit)).(*types.Named)
	name, k := named.Obj().Name(), fn.file.pkg
	switch {
	case named.TypeArgs().Len() > 0:
		return nil, "its type is generic"
	case named.Obj().Exported():
		return nil, "its type is exported: callers look for a pointer with errors.As, and would no longer find it"
	case named.Obj().Parent() != named.Obj().Pkg().Scope():
		return nil, "its type is declared in a function"
	}
	gain, why := valueGain(k, named, fn.info(), lit)
	if why != "" {
		return nil, why
	}
	if f := p.ignoredMention(k, name); f != "" {
		return nil, fmt.Sprintf("%s, which is not built on this platform, refers to %s", f, name)
	}
	if where := p.errorsToldApart(); where != "" {
		return nil, where + ": two errors of equal fields would be equal there"
	}
	uses := &pointerUses{p: p, k: k, named: named, ptr: types.NewPointer(named), maybeNil: map[types.Object]string{}}
	if why := uses.read(); why != "" {
		return nil, why
	}
	edits, err := p.settle(uses.edits)
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(v.Name(), fn.obj.FullName(), edits), Kind: v.Name(), Class: "B",
		Title: fmt.Sprintf("%s: return %s by value", k.Name, name),
		Edits: edits, Obligations: []model.Obligation{
			{Text: "no code outside the package knows the type", How: "proven", Why: name + " is not exported, and no exported function, variable or field has it in its type"},
			{Text: "the pointer is used for reading only", How: "proven", Why: "every use of it in the package reads a field, calls a method, looks for it in an error, or returns it as one"},
			{Text: "no pointer of the type is nil", How: "proven", Why: "each is made by a literal, and none is compared with nil or made an error where it was not set"},
			{Text: "nobody tells two of these errors apart", How: "assumed", Why: "they become equal when their fields are; no loaded package compares errors but with variables that do not change, " +
				"and package errors has callers ask for those"},
			{Text: "making it an error does not allocate", How: "assumed", Why: gain},
		},
	}, ""
}

// valueGain says why an interface holds a value of the struct without an
// allocation, or why it does not.
func valueGain(k *pkg, named *types.Named, info *types.Info, lit *ast.CompositeLit) (gain, why string) {
	str := named.Underlying().(*types.Struct)
	size, align := k.TypesSizes.Sizeof(str), k.TypesSizes.Alignof(str)
	word := k.TypesSizes.Sizeof(types.Typ[types.Uintptr])
	pointers := false
	for f := range str.Fields() {
		if f.Embedded() {
			return "", "it embeds " + f.Name() + ", whose methods depend on the pointer"
		}
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&(types.IsFloat|types.IsComplex) != 0 {
				return "", f.Name() + " is a floating-point number: an error that holds NaN would not be equal to itself"
			}
			pointers = pointers || t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
		case *types.Pointer, *types.Chan:
			pointers = true
		default:
			return "", fmt.Sprintf("%s is of type %s: comparing two such errors may panic or see more than they hold", f.Name(), f.Type())
		}
	}
	switch constant := constantElements(info, lit); {
	case size > maxErrorSize:
		return "", fmt.Sprintf("it has %d bytes, which are copied with the value", size)
	case size == 0:
		return "", "it has no size: nothing is allocated for it"
	case constant:
		return "the literal is constant: the compiler lays it out once", ""
	case pointers && size == word && str.NumFields() == 1 && !isString(str.Field(0).Type()):
		return "it is one pointer, which an interface holds as it is", ""
	case !pointers && size <= 8 && size == align:
		return fmt.Sprintf("it has %d bytes without pointers: the runtime has the values below 256 ready; others take as much as before", size), ""
	}
	return "", fmt.Sprintf("an interface holds its %d bytes by an allocation as well", size)
}

// constantElements reports whether a literal is made of constants.
func constantElements(info *types.Info, lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if info.Types[e].Value == nil && !isNil(info, e) {
			return false
		}
	}
	return true
}

// pointerUses goes over all uses of a struct type and of pointers to it, and
// collects the edits that make values of them.
type pointerUses struct {
	p     *Program
	k     *pkg
	named *types.Named
	ptr   *types.Pointer
	edits []model.Edit
	// maybeNil holds the variables that may not have been set: those declared
	// without a value, and those of an assertion that may fail.
	maybeNil map[types.Object]string
}

// read fills in the edits, or says which use stands in the way.
func (u *pointerUses) read() string {
	name := u.named.Obj().Name()
	tests, external := u.p.testFiles(u.k)
	for _, f := range append(tests, external...) {
		if mentionsInFile(f, name) {
			return fmt.Sprintf("%s mentions %s: tests are not edited", f.name, name)
		}
	}
	for _, f := range u.k.files {
		if why := editable(f); why != "" && mentionsInFile(f, name) {
			return why
		}
	}
	why := ""
	each := func(visit func(f *file, n ast.Node) string) {
		for _, f := range u.k.files {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if why == "" && n != nil {
					if why = visit(f, n); why != "" {
						why += " (" + u.p.pos(n.Pos()).String() + ")"
					}
				}
				return why == ""
			})
		}
	}
	each(u.mention)
	each(u.value)
	sort.SliceStable(u.edits, func(i, j int) bool { return u.edits[i].Start < u.edits[j].Start })
	return why
}

func mentionsInFile(f *file, name string) bool {
	found := false
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
