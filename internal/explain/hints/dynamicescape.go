package hints

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/rank"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
)

// dynamicEscapes drafts the findings on values that are on the heap because
// they are passed to a dynamic call: of what it calls the compiler knows
// nothing.
func (s *search) dynamicEscapes() []*draft {
	var out []*draft
	sites := s.sites()
	for _, e := range s.escapings() {
		if len(e.note.Flow) == 0 {
			continue
		}
		last := e.note.Flow[len(e.note.Flow)-1]
		f := s.tree.files[last.At.File]
		if !strings.HasSuffix(last.Text, " (call parameter)") || f == nil || f.info == nil {
			continue
		}
		if call := f.dynamicAt(last.At); call != nil {
			out = append(out, s.dynamicEscape(e, f, call, last.At, sites))
		}
	}
	return out
}

// dynamicAt returns the dynamic call at a place, or nil.
func (f *file) dynamicAt(at model.Pos) *ast.CallExpr {
	for _, call := range f.callsOn(at.Line) {
		if f.Col(call.Lparen) == at.Col && f.static(call) == nil && (f.isMethod(call) || f.isValue(call)) {
			return call
		}
	}
	return nil
}

func (s *search) dynamicEscape(e *escaping, f *file, call *ast.CallExpr, at model.Pos, sites []*site) *draft {
	text := fmt.Sprintf("it is passed to %s at %s:%d, and the compiler does not know what that calls", f.dynamicName(call), at.File, at.Line)
	i := slices.IndexFunc(sites, func(st *site) bool { return st.at == line{at.File, at.Line} })
	if i >= 0 {
		var called []string
		for _, fn := range slices.Sorted(maps.Keys(sites[i].to)) {
			if !rank.IsRuntime(fn) && (!f.isMethod(call) || lastName(fn) == escape.CalledName(call.Fun)) {
				called = append(called, short(fn))
			}
		}
		if len(called) > 0 {
			text += "; the profile shows " + strings.Join(called, ", ")
		}
	}
	d := &draft{in: f, call: at, ways: e.ways, f: finding{
		Kind: DynamicCall, At: e.note.At(), Func: e.fn, Resource: model.Allocs,
		Message: e.note.Message, Notes: []model.Note{e.note}, Text: text,
	}}
	d.f.warm(e.ways.heat())
	d.alts = []alternative{{
		try: "keep the value in memory that is on the heap already, such as a field of the receiver, and pass that; or hold the concrete type, if its name is exported and its methods do not let the argument escape",
		holds: []string{
			"what is called does not keep the value after it returns",
			"no two calls use the field at once, from one goroutine or from several",
		},
	}}
	return d
}
