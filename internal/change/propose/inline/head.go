package inline

import (
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A head is the text of a function's declaration, for another one that goes on for it.
type head struct {
	recv, of        string // the receiver, as "(c *config) " and "c."
	params, results string
	args            []string // its parameters as arguments
}

func headOf(p *prove.Program, fn *prove.Function) head {
	f, decl, h := fn.File, fn.Decl, head{}
	if decl.Recv != nil {
		h.recv = string(f.Src[p.Offset(decl.Recv.Pos()):p.Offset(decl.Recv.End())]) + " "
		h.of = decl.Recv.List[0].Names[0].Name + "."
	}
	open, shut := p.Offset(decl.Type.Params.Opening)+1, p.Offset(decl.Type.Params.Closing)
	h.params = strings.TrimSuffix(strings.TrimSpace(string(f.Src[open:shut])), ",")
	for v := range fn.Obj.Signature().Params().Variables() {
		h.args = append(h.args, v.Name())
	}
	if fn.Obj.Signature().Variadic() {
		h.args[len(h.args)-1] += "..."
	}
	if r := decl.Type.Results; r != nil && len(r.List) > 0 {
		h.results = " " + string(f.Src[p.Offset(r.Pos()):p.Offset(r.End())])
	}
	return h
}

// declare writes the head of the other function, with more parameters in front: the last one may be variadic.
func (h head) declare(name string, more ...string) string {
	if h.params != "" {
		more = append(more, h.params)
	}
	return "func " + h.recv + name + "(" + strings.Join(more, ", ") + ")" + h.results
}

// call writes its call with more arguments in front.
func (h head) call(name string, more ...string) string {
	return h.of + name + "(" + strings.Join(append(more, h.args...), ", ") + ")"
}

// whole says why a function's code cannot be in another one.
func whole(p *prove.Program, fn *prove.Function) *prove.Reason {
	if why := prove.Editable(fn.File); why != nil {
		return why
	}
	sig := fn.Obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return prove.Refuse("it is generic")
	}
	if why := pragma(p, fn); why != nil {
		return why
	}
	if fn.Decl.Recv != nil && len(fn.Decl.Recv.List[0].Names) == 0 {
		return prove.Refuse("it does not name its receiver")
	}
	for _, vars := range []*types.Tuple{sig.Params(), types.NewTuple(sig.Recv())} {
		for v := range vars.Variables() {
			if v != nil && (v.Name() == "" || v.Name() == "_") {
				return prove.Refuse("it does not name all its parameters")
			}
		}
	}
	if code.Jumps(fn.Decl.Body) {
		return prove.Refuse("it uses goto")
	}
	return nil
}

// again says that a function calls itself.
func again(p *prove.Program, fn *prove.Function) *prove.Reason {
	if back, _ := p.Reaches(p.EdgesOf(fn), fn.Obj.FullName()); back {
		return prove.Refuse("it calls itself, which is never inlined")
	}
	return nil
}
