package watch

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// edited returns the functions of the module around dir that are not as they were at a
// commit. The error is one of usage.
func edited(ctx context.Context, dir, since string) ([]worth.Func, error) {
	root := testbed.ModuleRoot(dir)
	if root == "" {
		return nil, testbed.Usagef("-since %s: there is no go.mod at or above %s; run it in the module of the program", since, dir)
	}
	changed, err := find.Since(ctx, root, since)
	if err != nil {
		return nil, testbed.Usagef("%v", err)
	}
	module := hotpath.ModulePath(root)
	var out []worth.Func
	for file := range changed {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(root, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // it is gone, or is no Go that a program is built of
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && changed.Touches(file, fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line) {
				out = append(out, worth.Func{Name: path.Join(module, path.Dir(file)) + "." + words.FuncName(fn), File: path.Base(file)})
			}
		}
	}
	return out, nil
}

// edits reports for the functions that differ by more than noise whether they were changed, or
// call what was. One that is only on one side is named where it was changed alone.
func (c *canary) edits(of []model.ProfileChange) (out []model.EditedFunction) {
	own, below := map[string]bool{}, map[string]bool{}
	for _, s := range c.sides {
		for _, p := range s.profiles {
			frames := worth.Frames(p.Profile.Functions(), c.edited)
			if len(frames) == 0 {
				continue
			}
			_ = p.Profile.Stacks("cpu", func(stack []model.Frame, _ float64) { // all have this type
				under := false
				for _, fr := range stack { // innermost first
					if frames[model.Frame{Func: fr.Func, File: fr.File}] {
						own[fr.Func], under = true, true
					} else if under {
						below[fr.Func] = true
					}
				}
			})
		}
	}
	for _, f := range of {
		e := model.EditedFunction{Func: f.Func, How: model.EditNone}
		switch {
		case own[f.Func]:
			e.How = model.EditOwn
		case f.Before == 0 || f.After == 0:
			continue
		case below[f.Func]:
			e.How = model.EditBelow
		}
		out = append(out, e)
	}
	return out
}
