package rule

import (
	"bytes"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// dropsComment reports whether a comment stands in what a fix replaces, and in nothing
// that it writes.
func (p *Pass) dropsComment(fix analysis.SuggestedFix) bool {
	return slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool {
		file := p.File(e.Pos)
		if file == nil || !e.End.IsValid() {
			return false
		}
		for _, group := range file.Comments {
			if group.End() <= e.Pos || e.End <= group.Pos() {
				continue
			}
			for _, c := range group.List {
				if c.Pos() < e.End && e.Pos < c.End() && !written(fix, c.Text) {
					return true
				}
			}
		}
		return false
	})
}

func written(fix analysis.SuggestedFix, text string) bool {
	return slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool { return bytes.Contains(e.NewText, []byte(text)) })
}
