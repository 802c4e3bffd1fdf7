package find

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// found turns a rule's finding into one that can be kept and printed.
func (u *unit) found(r rule.Rule, f rule.Reported, ignores []rule.Ignore) found {
	from, to := f.Span()
	out := found{
		Finding: model.Finding{
			Rule: r.Name, IDs: r.IDs, Title: r.Title, Tier: string(f.Tier), Class: string(f.Class), Pkg: u.pkg.PkgPath, Func: u.function(f.Pos),
			At: u.pos(f.Pos), End: u.pos(f.Pos), Message: f.Message,
			First: u.pos(from).Line, Last: u.pos(to).Line,
			Hash: rule.LineHash(u.read, u.pkg.Fset.Position(f.Pos)),
		},
		If: f.If, PkgMain: u.pkg.Name == "main",
	}
	if f.End.IsValid() {
		out.End = u.pos(f.End)
	}
	if f.Suppressed {
		for i, ig := range ignores {
			if ig.Pos == f.Ignore {
				out.Ignore = i + 1
			}
		}
	}
	if len(f.Fixes) > 0 && f.Class != rule.N {
		out.Fix = u.fix(f.Fixes[0])
	}
	return out
}

// function returns the name of the declared function around pos, with its
// receiver's type; "" at package level.
func (u *unit) function(pos token.Pos) string {
	for _, file := range u.pkg.Syntax {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || pos < fd.Pos() || pos >= fd.End() {
				continue
			}
			name := fd.Name.Name
			if f, ok := u.pkg.TypesInfo.Defs[fd.Name].(*types.Func); ok && f.Signature().Recv() != nil {
				if n, ok := types.Unalias(code.Pointee(f.Signature().Recv().Type())).(*types.Named); ok {
					name = n.Obj().Name() + "." + name
				}
			}
			return name
		}
	}
	return ""
}

func (u *unit) fix(s analysis.SuggestedFix) *model.Fix {
	fix := &model.Fix{Title: s.Message}
	for _, e := range s.TextEdits {
		tf := u.pkg.Fset.File(e.Pos)
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		fix.Edits = append(fix.Edits, model.Edit{File: u.rel(tf.Name()), Start: tf.Offset(e.Pos), End: tf.Offset(end), New: string(e.NewText)})
	}
	return fix
}

// pos returns a position with the file relative to the module's root where it
// lies in it. //line directives are not followed, since an edit needs the real file, but
// for those of cgo, which say what file it read.
func (u *unit) pos(p token.Pos) model.Pos {
	at := u.pkg.Fset.PositionFor(p, false)
	if !slices.Contains(u.pkg.GoFiles, at.Filename) {
		at = u.pkg.Fset.Position(p)
	}
	return model.Pos{File: u.rel(at.Filename), Line: at.Line, Col: at.Column}
}

func (u *unit) rel(name string) string {
	if rel, err := filepath.Rel(u.runner.world.dir, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return name
}

func byteCount(n int64) string { return strconv.FormatInt(n, 10) }
