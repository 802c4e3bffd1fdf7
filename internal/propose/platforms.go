package propose

import (
	"go/ast"
	"go/parser"
	"strings"
)

// declaredElsewhere returns the file that declares fn as well, for other build
// tags or platforms; "" if there is none. What was read of fn need not hold
// there.
func (p *Program) declaredElsewhere(fn *function) string {
	k := fn.file.pkg
	if p.others[k] == nil {
		p.others[k] = map[string]string{}
		for _, path := range k.IgnoredFiles {
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(p.fset, path, nil, parser.SkipObjectResolution)
			if err != nil || syntax.Name.Name != k.Name {
				continue
			}
			for _, d := range syntax.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok {
					p.others[k][declaredName(decl)] = p.rel(path)
				}
			}
		}
	}
	return p.others[k][declaredName(fn.decl)]
}

// declaredName names a declaration within its package: T.Name for a method.
func declaredName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	t := decl.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id := rootIdent(t); id != nil {
		return id.Name + "." + decl.Name.Name
	}
	return "?." + decl.Name.Name
}

// sameElsewhere is what has to be assumed of fn for other builds, if it is
// declared for them apart.
func (p *Program) sameElsewhere(fn *function) []string {
	if f := p.declaredElsewhere(fn); f != "" {
		return []string{fn.obj.Name() + " of " + f + ", for other builds, does the same"}
	}
	return nil
}
