package rank

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// explain finds why a target allocates, and what is true of the line besides.
// boxes says that the CPU profile shows conversions to interfaces there.
func (r *reader) explain(t model.Target, boxes bool) model.Reason {
	reason := r.allocates(t, boxes)
	if !t.Leaf.Module && !isTest(t.Leaf.File) && t.At.File != "" {
		reason.Also = append(reason.Also, model.ReasonLibrary)
	}
	if l, ok := r.loopAround(t.Stack, 0, len(t.Stack)); ok && t.PerOp >= perElement {
		reason.Also = append(reason.Also, model.ReasonLoop)
		reason.Text += fmt.Sprintf("; %.4g per op, in the loop at %s", t.PerOp, shortPos(l.at))
	}
	return reason
}

// perElement is the number of objects per op from which a loop around an
// allocation is what makes them many.
const perElement = 1.5

// allocates finds why a target allocates: in the compiler's words, else from
// the syntax of the line, else by saying where it happens.
func (r *reader) allocates(t model.Target, boxes bool) model.Reason {
	if notes := escapes(t.Notes); len(notes) > 0 {
		return model.Reason{Kind: model.ReasonEscape, Text: r.where(t) + escapeText(notes, t.PerOp)}
	}
	if boxes {
		return model.Reason{Kind: model.ReasonBoxing, Text: r.where(t) + "a value is put into an interface"}
	}
	if reason, ok := r.syntaxOf(t.Leaf); ok {
		reason.Text = r.where(t) + reason.Text
		return reason
	}
	if !t.Leaf.Module && !isTest(t.Leaf.File) {
		return model.Reason{Kind: model.ReasonOutside, Text: "allocated in " + words.Symbol(t.Leaf.Func) + r.called(t)}
	}
	return model.Reason{Kind: model.ReasonUnknown, Text: "the compiler has no note on this line, and its syntax does not show what allocates"}
}

// moved returns the line of the module that makes a value escape which a test
// file makes: the last of its kind that the flow passes.
func moved(notes []model.Note) (model.Pos, bool) {
	for _, n := range escapes(notes) {
		for _, step := range slices.Backward(n.Flow) {
			if at := step.At; !filepath.IsAbs(at.File) && !isTest(at.File) && at.File != "" {
				return model.Pos{File: at.File, Line: at.Line}, true
			}
		}
	}
	return model.Pos{}, false
}

// where says in which function of a dependency an allocation is, and which one
// the module calls.
func (r *reader) where(t model.Target) string {
	if t.Leaf.Pos() == t.At || t.Leaf.Module || isTest(t.Leaf.File) {
		return ""
	}
	called := r.called(t)
	if strings.HasSuffix(called, " "+words.Symbol(t.Leaf.Func)) {
		called = ""
	}
	return "in " + words.Symbol(t.Leaf.Func) + called + ": "
}

func (r *reader) called(t model.Target) string {
	if t.At.File == "" {
		return ", with no frame of the module on the stack"
	}
	if called := calledAt(t); called != "" {
		return ", below the call of " + words.Symbol(called)
	}
	return ""
}

// escapes returns the notes that explain an allocation. Constants that are
// converted to interfaces are said to escape but are no objects of their own;
// they are left out where there is another note.
func escapes(notes []model.Note) []model.Note {
	var all, real []model.Note
	for _, n := range notes {
		if n.Kind != model.NoteEscape {
			continue
		}
		all = append(all, n)
		if !isConstant(n.Message) {
			real = append(real, n)
		}
	}
	if len(real) > 0 {
		return real
	}
	return all
}

func isConstant(message string) bool {
	return message != "" && (message[0] == '"' || message[0] == '`' || message[0] >= '0' && message[0] <= '9')
}

// escapeText puts the notes of one line into a sentence. Profiles have no
// columns: where the line has several escapes, all are named.
func escapeText(notes []model.Note, perOp float64) string {
	var parts []string
	for _, n := range notes {
		text := n.Message + cause(n)
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	switch {
	case len(notes) == 1 || len(parts) == 1:
		return parts[0]
	case int(math.Round(perOp)) == len(notes):
		return fmt.Sprintf("%d values on this line: %s", len(notes), strings.Join(parts, "; "))
	}
	return "one or more of: " + strings.Join(parts, "; ")
}

// cause names how a value reaches the heap: the call it is passed to, what it
// is assigned to or returned by. A flow that leads through several calls is
// told by its first and its last, with the last line of the tree that it
// passes.
func cause(n model.Note) string {
	var calls []string
	var last, inTree model.FlowStep
	for _, step := range n.Flow {
		expr, how, ok := splitStep(step.Text)
		if !ok {
			continue
		}
		last = step
		if !filepath.IsAbs(step.At.File) {
			inTree = step
		}
		if how == "call parameter" {
			calls = append(calls, calledExpr(expr))
		}
	}
	expr, how, ok := splitStep(last.Text)
	if !ok {
		return ""
	}
	if inTree.Text != "" {
		last = inTree
	}
	at := ""
	if last.At.File != n.At().File || last.At.Line != n.At().Line {
		at = " at " + shortPos(last.At)
	}
	switch {
	case how == "call parameter" && len(calls) > 1:
		return fmt.Sprintf(": passed to %s and on to %s%s", calls[0], calls[len(calls)-1], at)
	case how == "call parameter":
		return ": passed to " + calls[0] + at
	case how == "return":
		return ": returned" + at
	case how == "interface-converted":
		return ": converted to an interface" + at
	case how == "captured by a closure":
		return ": captured by a closure" + at
	}
	return fmt.Sprintf(": by %s (%s)%s", expr, how, at)
}

// splitStep splits "from x.f(y) (call parameter)".
func splitStep(text string) (expr, how string, ok bool) {
	text, ok = strings.CutPrefix(text, "from ")
	open := strings.LastIndex(text, " (")
	if !ok || open < 0 {
		return "", "", false
	}
	return text[:open], strings.TrimSuffix(text[open+2:], ")"), true
}

// shortPos leaves the directory out where it is long and says little: outside the
// tree.
func shortPos(p model.Pos) string {
	if filepath.IsAbs(p.File) {
		p.File = filepath.Base(p.File)
	}
	p.Col = 0
	return p.String()
}

// calledExpr cuts the arguments off a call: "c.cipher.Seal" of
// "c.cipher.Seal(x, y[:])".
func calledExpr(expr string) string {
	depth := 0
	for i := len(expr) - 1; i > 0; i-- {
		switch expr[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return expr[:i]
			}
		}
	}
	return expr
}
