package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// meanings names changes by which lines that look the same come to mean
// something else: hidden builtins, dot imports, a package under the name of
// another, a type that becomes another one.
func (p *pair) meanings(u *unit) {
	for _, n := range u.nodes {
		switch n := n.(type) {
		case *ast.ImportSpec:
			p.importMeans(u, n)
		case *ast.TypeSpec:
			p.typeMeans(u, n)
			p.hides(u, n.Name, nil)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				p.hides(u, name, nil)
			}
		case *ast.FuncDecl:
			if n.Recv == nil {
				p.hides(u, n.Name, nil)
			}
			p.hidesInside(u, n)
		}
	}
}

// hides names a new declaration of what the language declares already.
func (p *pair) hides(u *unit, name *ast.Ident, inside ast.Node) {
	if types.Universe.Lookup(name.Name) == nil || name.Name == "any" {
		return
	}
	if inside == nil {
		if p.base.units[u.key] == nil {
			p.add(model.SuspectDirective, name, name.Name+" is declared anew: unchanged lines that use the builtin now mean something else")
		}
		return
	}
	o := u.info().Defs[name]
	if o == nil || !p.isNewText(u, inside) {
		return
	}
	_, isFunc := o.Type().Underlying().(*types.Signature)
	if isFunc || name.Name == "true" || name.Name == "false" || name.Name == "nil" || name.Name == "iota" {
		p.add(model.SuspectDirective, inside, name.Name+" is declared anew in the function: lines below it mean something else")
	}
}

func (p *pair) hidesInside(u *unit, fn *ast.FuncDecl) {
	for n := range code.All[ast.Node](fn) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
					p.hides(u, id, n)
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				p.hides(u, id, n)
			}
		case *ast.Field:
			for _, id := range n.Names {
				p.hides(u, id, n)
			}
		}
	}
}

// isNewText reports whether the base's unit does not hold the text of a node.
func (p *pair) isNewText(u *unit, n ast.Node) bool {
	old := p.base.units[u.key]
	return old == nil || !strings.Contains(old.text, p.cand.text(n))
}

// importMeans names an import that stands in for another one.
func (p *pair) importMeans(u *unit, s *ast.ImportSpec) {
	if len(p.fresh(u, "import "+p.cand.text(s))) == 0 {
		return
	}
	if s.Name != nil && s.Name.Name == "." {
		p.add(model.SuspectDirective, s, "a dot import: names without a package may mean something else now")
		return
	}
	name, at := importName(u.pkg.TypesInfo, s)
	file := p.cand.pos(s.Pos()).File
	for _, old := range p.base.importsOf(file) {
		oldName, oldPath := importName(old.info, old.spec)
		if oldName != name || oldPath == at || p.cand.imports(file, oldPath) {
			continue
		}
		own := at == p.cand.module || strings.HasPrefix(at, p.cand.module+"/")
		if own || !isStd(at) || strings.HasPrefix(oldPath, "crypto/") {
			p.add(model.SuspectDirective, s, name+" is "+at+" now, and was "+oldPath+": unchanged lines mean something else")
		}
	}
}

type importedIn struct {
	spec *ast.ImportSpec
	info *types.Info
}

// importsOf returns the imports of a file by its name in the tree.
func (p *program) importsOf(file string) []importedIn {
	var out []importedIn
	for _, lp := range p.pkgs {
		for _, f := range lp.Syntax {
			if p.rel(p.fset.PositionFor(f.FileStart, false).Filename) == file {
				for _, s := range f.Imports {
					out = append(out, importedIn{s, lp.TypesInfo})
				}
			}
		}
	}
	return out
}

func (p *program) imports(file, at string) bool {
	return slices.ContainsFunc(p.importsOf(file), func(i importedIn) bool { return strings.Trim(i.spec.Path.Value, "`\"") == at })
}

// importName returns the name that an import has in its file, and its path.
func importName(info *types.Info, s *ast.ImportSpec) (name, at string) {
	at = strings.Trim(s.Path.Value, "`\"")
	if s.Name != nil {
		return s.Name.Name, at
	}
	if o, ok := info.Implicits[s].(*types.PkgName); ok {
		return o.Imported().Name(), at
	}
	return at[strings.LastIndexByte(at, '/')+1:], at
}

// isStd reports whether an import path is the standard library's: only those
// have no dot in their first element, of the paths that a module can have
// without being its own.
func isStd(at string) bool {
	first, _, _ := strings.Cut(at, "/")
	return !strings.Contains(first, ".")
}

// typeMeans names a type that becomes an alias, or an alias of another type.
func (p *pair) typeMeans(u *unit, s *ast.TypeSpec) {
	old := p.base.units[u.key]
	if old == nil {
		return
	}
	was, ok := old.nodes[0].(*ast.TypeSpec)
	if !ok {
		return
	}
	now := p.cand.text(s.Type)
	if s.Assign.IsValid() != was.Assign.IsValid() || s.Assign.IsValid() && p.base.text(was.Type) != now {
		p.add(model.SuspectAPI, s, "type "+s.Name.Name+" is another type now: unchanged lines mean something else")
		return
	}
	o, b := u.info().Defs[s.Name], old.info().Defs[was.Name]
	if o == nil || b == nil || o.Type() == nil || b.Type() == nil {
		return
	}
	if was, now := basicOf(b.Type()), basicOf(o.Type()); was != nil && now != nil && was.Kind() != now.Kind() {
		p.add(model.SuspectAPI, s, "type "+s.Name.Name+" was "+was.Name()+": values that fitted may not fit any more")
	}
}

func basicOf(t types.Type) *types.Basic {
	b, _ := t.Underlying().(*types.Basic)
	return b
}
