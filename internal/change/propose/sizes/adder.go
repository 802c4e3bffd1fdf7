package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// others returns the other statements that may add the first element to a local variable: they stand before this
// one, or in a loop with it. It is nil where one of them adds more than an element, or where what is added may look
// at the variable: then they cannot call one function.
func (s *opening) others() (sites []*opening) {
	v := code.Var(s.fn.Info(), s.to)
	if v == nil || !code.Local(v) || s.shared(s.to) {
		return nil
	}
	var around *ast.BlockStmt // the outermost loop that the variable outlives
	for body := s.fn.File.Loop(s.stmt); body != nil && !code.Declares(body, v); body = s.fn.File.Loop(s.fn.File.Parent(body)) {
		around = body
	}
	for a := range code.All[*ast.AssignStmt](s.fn.Decl.Body) {
		add, ok := additionIn(s.fn.Info(), a)
		if a == s.stmt || !ok || !s.names(add.to) || a.Pos() > s.stmt.Pos() && (around == nil || !code.Within(around, a)) {
			continue
		}
		other := openingOf(s.p, s.fn, a)
		if other == nil || len(other.call.Args) != 2 || len(s.call.Args) != 2 {
			return nil
		}
		sites = append(sites, other)
	}
	return sites
}

// texts reports whether a string is appended to bytes, which append alone takes, at one of several places.
func texts(sites []*opening) bool {
	return len(sites) > 1 && slices.ContainsFunc(sites, func(s *opening) bool {
		return s.call.Ellipsis.IsValid() && code.IsString(s.fn.Info().TypeOf(s.call.Args[1]))
	})
}

// adderEdits let all statements call one function, which makes the slice where it is nil and something is appended.
func (s *opening) adderEdits(sites []*opening, room int64) []model.Edit {
	p, f := s.p, s.fn.File
	typ := p.TypeText(s.fn, s.typ, s.typed)
	elem := p.TypeText(s.fn, code.Core(s.typ).(*types.Slice).Elem(), nil)
	to := s.to.(*ast.Ident).Name
	item, of, some := "item", "", ""
	if all := func(s *opening) bool { return s.call.Ellipsis.IsValid() }; slices.ContainsFunc(sites, all) {
		item, of = "items", "..."
	}
	if slices.Contains(strings.FieldsFunc(typ+" "+elem+" "+to, func(r rune) bool { return !unicode.IsLetter(r) }), item) {
		item = "added"
	}
	if of != "" {
		some = " && len(" + item + ") > 0"
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("addTo"+code.UpperName(to), i)
		return fmt.Sprintf(`// %[1]s is append(%[2]s, %[7]s), with room for %[6]d elements at the first.
func %[1]s(%[2]s %[4]s, %[3]s %[5]s) %[4]s {
	if %[2]s == nil%[8]s {
		%[2]s = make(%[4]s, 0, %[6]d)
	}
	return append(%[2]s, %[7]s)
}
`, name, to, item, typ, of+elem, room, item+of, some), []string{name}
	})
	var edits []model.Edit
	for _, site := range sites {
		edits = append(edits, p.Put(f, site.call.Fun.Pos(), site.call.Fun.End(), name))
	}
	if text != "" {
		edits = append(edits, p.Below(s.fn, text))
	}
	return edits
}
