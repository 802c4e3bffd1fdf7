package escape

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// maxCalls bounds how many calls a flow is followed through.
const maxCalls = 20

// follow continues a flow that ends in a call by the leak of the parameter
// that takes the value, and one that ends in a box by the way the box goes.
func (n *Notes) follow(flow []model.FlowStep) []model.FlowStep {
	seen := make(map[string]bool)
	out := flow[:len(flow):len(flow)]
	for range maxCalls {
		next, ok := n.leakOf(flow)
		if !ok {
			next, ok = n.boxOf(flow)
		}
		key := next.Message + chainKey(next.Chain)
		if !ok || seen[key] {
			break
		}
		seen[key] = true
		flow = next.Flow
		out = append(out, flow...)
	}
	return out
}

// leakOf returns the note on the parameter that a flow's last step passes a
// value to: the one that leaks with the fewest dereferences.
func (n *Notes) leakOf(flow []model.FlowStep) (model.Note, bool) {
	if len(flow) == 0 {
		return model.Note{}, false
	}
	last := flow[len(flow)-1]
	expr, fromOK := strings.CutPrefix(last.Text, "from ")
	expr, callOK := strings.CutSuffix(expr, " (call parameter)")
	name, args := splitCall(expr)
	if !fromOK || !callOK || name == "" {
		return model.Note{}, false
	}
	file, fn := n.declared(path.Dir(last.At.File), name)
	if fn == nil {
		return model.Note{}, false
	}
	want := parameter(fn, args, flowing(flow))
	var found model.Note
	least := 0
	for line := fn.start; line <= fn.end; line++ {
		for _, i := range n.byLine[linePos{file, line}] {
			note := n.notes[i]
			param, derefs, ok := leaking(note)
			if !ok || want != "" && param != want || generated(note.Flow) || len(note.Flow) == 0 {
				continue
			}
			if found.Kind == "" || derefs < least {
				found, least = note, derefs
			}
		}
	}
	return found, found.Kind != ""
}

// boxOf returns the escape of the box that a flow ends in: the storage that a
// conversion to an interface, or the like, copies a value to.
func (n *Notes) boxOf(flow []model.FlowStep) (model.Note, bool) {
	for _, step := range slices.Backward(flow) {
		text, ok := strings.CutPrefix(step.Text, "flow: {storage for ")
		if !ok {
			if strings.HasPrefix(step.Text, "flow: ") {
				break
			}
			continue
		}
		what, _, _ := strings.Cut(text, "} ← ")
		for _, i := range n.byLine[linePos{step.At.File, step.At.Line}] {
			if note := n.notes[i]; note.Kind == model.NoteEscape && note.Message == what+" escapes to heap" && note.At() == step.At {
				return note, true
			}
		}
		break
	}
	return model.Note{}, false
}

// declared finds a function by the compiler's name for it, "F", "(*T).M" or,
// from older compilers, "x.M", in the directory of the caller.
func (n *Notes) declared(dir, name string) (file string, fn *function) {
	byLast := 0
	var lastFile string
	var lastFn *function
	for f, s := range n.sources {
		if s == nil || path.Dir(f) != dir {
			continue
		}
		for i := range s.funcs {
			switch {
			case s.funcs[i].name == name:
				return f, &s.funcs[i]
			case lastName(s.funcs[i].name) == lastName(name):
				byLast++
				lastFile, lastFn = f, &s.funcs[i]
			}
		}
	}
	if byLast == 1 {
		return lastFile, lastFn
	}
	return "", nil
}

// leaking returns the parameter of a note that one leaks to the heap, or to a
// box, and how many pointers are followed before: with 0 it is what is passed
// that leaks, with more what it leads to.
func leaking(note model.Note) (param string, derefs int, ok bool) {
	if note.Kind != model.NoteLeak {
		return "", 0, false
	}
	rest, ok := strings.CutPrefix(note.Message, "parameter ")
	param, to, _ := strings.Cut(rest, " leaks to ")
	to, count, _ := strings.Cut(to, " with derefs=")
	derefs, err := strconv.Atoi(count)
	return param, derefs, ok && err == nil && (to == "{heap}" || strings.HasPrefix(to, "{storage for "))
}

// flowing returns the value that the last part of a flow is about: x of
// "flow: {heap} ← *x:".
func flowing(flow []model.FlowStep) string {
	for i := len(flow) - 1; i >= 0; i-- {
		text, ok := strings.CutPrefix(flow[i].Text, "flow: ")
		if !ok {
			continue
		}
		if j := strings.LastIndexByte(text, ' '); j >= 0 {
			text = text[j+1:]
		}
		return strings.Trim(text, "*&:{}")
	}
	return ""
}

// parameter returns the name of the parameter that takes value, or "" when
// the arguments do not show it.
func parameter(fn *function, args []string, value string) string {
	if value == "argument" { // "&{storage for ... argument}": the variadic slice comes last
		value = "..."
	}
	skip := 0
	if d := len(fn.params) - len(args); d == 1 {
		skip = 1 // the receiver is no argument in the compiler's text
	}
	for i, a := range args {
		if i+skip < len(fn.params) && value != "" && strings.Contains(a, value) {
			return fn.params[i+skip]
		}
	}
	return ""
}

// splitCall splits "f(a, g(b))" into "f" and its arguments; the function may
// itself have parentheses, as "(*T).M" does.
func splitCall(expr string) (name string, args []string) {
	if !strings.HasSuffix(expr, ")") {
		return "", nil
	}
	depth, end := 0, len(expr)-1
	for i := len(expr) - 1; i >= 0; i-- {
		switch expr[i] {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth--
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(expr[i+1:end]))
				end = i
			}
		case '(':
			if depth--; depth == 0 {
				if a := strings.TrimSpace(expr[i+1 : end]); a != "" {
					args = append(args, a)
				}
				slices.Reverse(args)
				return expr[:i], args
			}
		}
	}
	return "", nil
}
