package sizes

import (
	"fmt"
	"go/ast"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An emptyField is a place where the field that an opening appends to is made empty, and not nil.
type emptyField struct {
	file  *prove.File
	value ast.Expr // what makes it
	typed ast.Expr // the type, as it is written there
}

// emptyFields returns those of the loaded packages.
func (s *opening) emptyFields() (found []emptyField) {
	if s.field == nil {
		return nil
	}
	for _, k := range s.p.Packages {
		info := k.TypesInfo
		for _, f := range k.Files {
			add := func(value ast.Expr) {
				if typed := code.MadeEmpty(info, value); typed != nil {
					found = append(found, emptyField{f, ast.Unparen(value), typed})
				}
			}
			for pair := range code.All[*ast.KeyValueExpr](f.Syntax) {
				if id, ok := pair.Key.(*ast.Ident); ok && s.isTheField(info.Uses[id]) {
					add(pair.Value)
				}
			}
			for a := range code.All[*ast.AssignStmt](f.Syntax) {
				for i, l := range a.Lhs {
					if len(a.Lhs) == len(a.Rhs) && s.isField(info, l) {
						add(a.Rhs[i])
					}
				}
			}
		}
	}
	return found
}

// roomThere gives the field room where it is made.
func (s *opening) roomThere(at emptyField, room int64) ([]model.Edit, *prove.Reason) {
	if at.file.Commented(at.value) {
		return nil, prove.Refuse("there is a comment where it is made")
	}
	p := s.p
	made := fmt.Sprintf("make(%s, 0, %d)", p.Source(at.file, at.typed), room)
	return []model.Edit{p.Put(at.file, at.value.Pos(), at.value.End(), made)}, nil
}
