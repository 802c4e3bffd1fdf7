package pools

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A passedText is a []byte that is made of a string only to be passed to a call, which is not known to the compiler: it
// could keep it.
type passedText struct {
	passedLiteral
	text ast.Expr
}

// firstText is the room in bytes that a new buffer of a pool of texts has.
const firstText = 64

// passedTexts returns those on a line.
func passedTexts(p *prove.Program, fn *prove.Function, line int) (found []*passedText) {
	info := fn.Info()
	for conv := range code.All[*ast.CallExpr](fn.Decl.Body) {
		call, isArg := fn.File.Parent(conv).(*ast.CallExpr)
		text, _ := code.Converted(info, conv)
		if !isArg || !p.Covers(conv, line) || text == nil || info.Types[text].Value != nil {
			continue
		}
		t := &passedText{passedLiteral{fn: fn, arg: conv, call: call, target: code.Callee(info, call), param: slices.Index(call.Args, ast.Expr(conv))}, text}
		if t.target == nil || t.param < 0 {
			continue
		}
		sig := t.target.Signature()
		if to, own := code.Takes(sig, call, t.param); own && code.IsBytes(to) &&
			(code.IsInterfaceMethod(t.target) || unknown(sig)) {
			found = append(found, t)
		}
	}
	return found
}

func (t *passedText) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	if why := t.place(); why != nil {
		return nil, why
	}
	if t.others() || code.Acts(t.fn.Info(), t.text) {
		return nil, prove.Refuse("another part of the call is a call, which would be made in another order")
	}
	kept, _, why := t.given(p)
	if why != nil {
		return nil, why
	}
	if by := t.keeper(p); by != "" {
		return nil, prove.Refuse(by + " keeps it, against what its package asks for")
	}
	name, local := poolName(p, t.fn, "text"), code.FirstFree(t.fn.Decl, "buf", "scratch", "pooled")
	switch {
	case name == "" || local == "":
		return nil, prove.Refuse("no name is free for the pool")
	case !code.Predeclared(t.fn.Obj.Pkg(), t.call.Pos(), "append", "cap", "byte"):
		return nil, prove.Refuse("append, cap or byte means something else there")
	}
	h := &holder{name: name, elem: "[]byte", made: "&buf", init: fmt.Sprintf("buf := make([]byte, 0, %d)", firstText),
		says: fmt.Sprintf("%s holds the texts that %s passes to %s, between calls.", name, t.fn.Obj.Name(), t.target.Name())}
	declared, why := h.declare(p, t.fn)
	if why != nil {
		return nil, why
	}
	before := fmt.Sprintf("%[1]s := %[2]s.Get().(*[]byte)\n*%[1]s = append((*%[1]s)[:0], %[3]s...)\n", local, name, p.Source(t.fn.File, t.text))
	after := fmt.Sprintf("\nif cap(*%[1]s) <= %[3]d<<10 {\n\t%[2]s.Put(%[1]s)\n}", local, name, maxPooled>>10)
	edits, why := t.around(p, local, "*"+local, before, after)
	if why != nil {
		return nil, why
	}
	return p.Change(t.fn, append(declared, edits...), model.Change{
		Kind:  "pool",
		Title: fmt.Sprintf("%s: copy the text that %s passes to %s to a buffer of a pool", t.fn.File.Pkg.Name, t.fn.Obj.Name(), t.target.Name()),
		Obligations: []model.Obligation{kept,
			{Text: "no call sees what another has left in it", How: "proven", Why: "it is as long as the text, which is copied to it before it is passed on"},
			lost(false), ready()},
		Retains: perP(fmt.Sprintf("up to %d KiB", maxPooled>>10)),
	})
}

// keeper returns the first method of the module, in the order of names, that an Unmarshal function or interface may call,
// and that keeps what it is given; "" if there is none.
func (t *passedText) keeper(p *prove.Program) string {
	names := []string{t.target.Name()}
	if t.target.FullName() == "encoding/json.Unmarshal" {
		names = []string{"UnmarshalJSON", "UnmarshalText"}
	} else if !strings.HasPrefix(names[0], "Unmarshal") {
		return ""
	}
	d, keeper := prove.NewDispatch(p, t.fn.File.Pkg, nil), ""
	for _, fn := range p.Funcs {
		if !slices.Contains(names, fn.Obj.Name()) || code.SignatureOf(fn.Obj.Signature()) != "([]byte) (error)" {
			continue
		}
		if by := code.CallName(fn.Obj); d.Effect(fn.Obj, 0, false).Keeps != "" && (keeper == "" || by < keeper) {
			keeper = by
		}
	}
	return keeper
}
