package rank

import (
	"go/ast"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// generated reports whether a file says that a program wrote it.
func (r *reader) generated(file string) bool {
	s := r.parse(file)
	return s != nil && ast.IsGenerated(s.file)
}

// written moves a target out of generated code, which nobody edits, to the line that people wrote and that
// calls it. It stays where there is none.
func (r *reader) written(t *model.Target) {
	if t.At.File == "" || isTest(t.At.File) || !r.generated(t.At.File) {
		return
	}
	home := slices.IndexFunc(t.Stack, func(f model.Frame) bool { return f.Pos() == t.At })
	for _, f := range t.Stack[home+1:] {
		if f.Module && !isTest(f.File) && !r.generated(f.File) {
			t.Reason.Text += ", in generated code (" + shortPos(t.At) + ") that this line calls"
			t.At, t.Func = f.Pos(), f.Func
			return
		}
	}
}
