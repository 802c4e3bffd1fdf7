package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"
)

func isMakefile(name string) bool {
	switch base := path.Base(name); base {
	case "Makefile", "makefile", "GNUmakefile":
		return true
	default:
		return path.Ext(base) == ".mk"
	}
}

// A makefile is one that is being read: first its variables, then its recipes,
// since a recipe sees what is assigned below it, too.
type makefile struct {
	f       *file
	vars    map[string]text
	exports []string
	private map[string][]text // assignments that hold for a target alone
	recipes []recipe
	depth   int  // of conditions
	macro   bool // one with a build was met
}

// A recipe is one line that make gives to the shell.
type recipe struct {
	target string
	line   text
	cond   bool
}

func (f *file) makefile() {
	m := &makefile{f: f, vars: map[string]text{}, private: map[string][]text{}}
	m.read(f.span(0, len(f.Text)).lines())
	target := ""
	for _, r := range m.recipes {
		if r.target != target {
			target, f.cloned = r.target, false
		}
		m.run(r)
	}
}

func (m *makefile) read(lines []text) {
	target, define := "", false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		for strings.HasSuffix(strings.TrimRight(line.s, "\r\n"), `\`) && i+1 < len(lines) {
			i++
			line = line.plus(lines[i])
		}
		words := strings.Fields(line.s)
		switch {
		case len(words) == 0:
		case define:
			define = words[0] != "endef"
			if define && strings.Contains(line.s, "go build") && !m.macro {
				m.macro = true
				m.f.cannot(line.place(0), "a build in a macro of make (define) is not read", "what it is called with counts", "make -n TARGET prints the command")
			}
		case line.s[0] == '\t' && target != "":
			m.recipes = append(m.recipes, recipe{target, line.cut(1, len(line.s)), m.depth > 0})
		case words[0] == "define":
			define = true
		case strings.HasPrefix(words[0], "ifeq"), strings.HasPrefix(words[0], "ifneq"), words[0] == "ifdef", words[0] == "ifndef":
			m.depth++
		case words[0] == "endif":
			m.depth = max(0, m.depth-1)
		case strings.HasPrefix(words[0], "#"), words[0] == "else", strings.Contains(words[0], "include"):
		default:
			if name, ok := m.rule(line); ok {
				target = name
			}
		}
	}
}

// rule reads an assignment, or the head of a rule, whose target it returns.
func (m *makefile) rule(line text) (target string, ok bool) {
	if i := strings.Index(line.s, " #"); i >= 0 {
		line = line.cut(0, i)
	}
	eq, colon := strings.IndexByte(line.s, '='), strings.IndexByte(line.s, ':')
	if eq >= 0 && (colon < 0 || eq < colon || strings.Trim(line.s[colon:eq], ":") == "") {
		m.assign(line, eq)
		return "", false
	}
	if colon < 0 {
		if words := strings.Fields(line.s); words[0] == "export" {
			m.exports = append(m.exports, words[1:]...)
		}
		return "", false
	}
	targets := strings.Fields(line.s[:colon])
	if len(targets) == 0 {
		return "", false
	}
	if strings.HasPrefix(targets[0], ".") && !strings.Contains(targets[0], "/") { // .PHONY and its like
		return "", false
	}
	if eq >= 0 { // target: NAME := value
		for _, t := range targets {
			m.private[t] = append(m.private[t], line.cut(colon+1, len(line.s)))
		}
		return "", false
	}
	return targets[0], true
}

// assign keeps a variable. What a condition assigns may not hold.
func (m *makefile) assign(line text, eq int) {
	head := strings.Fields(strings.TrimRight(line.s[:eq], ":?+!"))
	if len(head) == 0 {
		return
	}
	op := line.s[len(strings.TrimRight(line.s[:eq], ":?+!")):eq]
	name := head[len(head)-1]
	if head[0] == "export" {
		m.exports = append(m.exports, name)
	}
	value := joined(line.cut(eq+1, len(line.s)).trim())
	old, there := m.vars[name]
	switch {
	case op == "!":
		value = fixed(unknown, line.place(0))
	case strings.HasPrefix(op, ":") && m.depth == 0:
		value = m.expand(value)
	case m.depth > 0:
		value = old.plus(fixed(" "+unknown, line.place(0)))
	case op == "+":
		value = old.plus(fixed(" ", line.place(0))).plus(value)
	case op == "?" && there:
		return
	}
	m.vars[name] = value
}

// joined is a text with its continued lines as one.
func joined(t text) text {
	var out text
	for _, line := range t.lines() {
		if body := strings.TrimRight(line.s, "\r\n"); strings.HasSuffix(body, `\`) {
			line = line.cut(0, len(body)-1).plus(fixed(" ", line.place(0)))
		}
		out = out.plus(line)
	}
	return out
}

// run reads a line of a recipe as the shell gets it.
func (m *makefile) run(r recipe) {
	outer, line := m.vars, r.line
	defer func() { m.vars = outer }()
	m.vars = maps.Clone(outer)
	for _, line := range m.private[r.target] {
		if eq := strings.IndexByte(line.s, '='); eq >= 0 {
			m.assign(line, eq)
		}
	}
	target := m.expand(fixed(r.target, line.place(0))).s
	if !strings.Contains(target, "%") {
		m.vars["@"] = fixed(target, line.place(0))
	}
	for strings.HasPrefix(line.s, "@") || strings.HasPrefix(line.s, "-") || strings.HasPrefix(line.s, "+") || strings.HasPrefix(line.s, " ") {
		line = line.cut(1, len(line.s))
	}
	var env []Setting
	for _, name := range m.exports {
		value := m.expand(m.vars[name])
		if len(value.from) > 0 {
			env = append(env, Setting{Name: name, Value: value.s, At: m.f.at(value.place(0)), Open: strings.Contains(value.s, unknown)})
		}
	}
	s := script{name: target, purpose: purpose(Release, target, path.Dir(m.f.File)), env: env, part: path.Ext(m.f.File) == ".mk"}
	s.unsaid = purpose("", target, path.Dir(m.f.File)) == ""
	if len(line.from) > 0 {
		s.from, s.to = line.from[0], line.from[len(line.from)-1]
	}
	if r.cond {
		s.ifs = 1
	}
	m.f.shell(m.expand(line), s)
}

// maxExpand bounds how many variables a line comes to: they may name each other
// without end.
const maxExpand = 1000

// expand fills in the variables of a text.
func (m *makefile) expand(t text) text {
	left := maxExpand
	return m.filled(t, &left)
}

func (m *makefile) filled(t text, left *int) text {
	var out text
	for i := 0; i < len(t.s); {
		if t.s[i] != '$' || i+1 == len(t.s) {
			next := strings.IndexByte(t.s[i+1:], '$')
			end := len(t.s)
			if next >= 0 {
				end = i + 1 + next
			}
			out, i = out.plus(t.cut(i, end)), end
			continue
		}
		name, end := reference(t.s, i)
		if t.s[i+1] == '$' {
			out = out.plus(t.cut(i, i+1))
		} else {
			out = out.plus(m.variable(name, t.from[i], left))
		}
		i = end
	}
	return out
}

// goNames are the variables that name the go command, also where the shell finds it.
var goNames = []string{"GO", "GOCMD", "GO_CMD", "GO_BINARY"}

// variable is what a reference at some place comes to.
func (m *makefile) variable(name string, at int, left *int) text {
	value := fixed(unknown, at)
	if v, ok := m.vars[name]; ok && *left > 0 {
		*left--
		value = m.filled(v, left)
	}
	if slices.Contains(goNames, name) && strings.TrimSpace(value.s) == unknown {
		return fixed("go", at)
	}
	return value
}

// reference returns the name of the variable at i, and where it ends.
func reference(s string, i int) (name string, end int) {
	open := s[i+1]
	if open != '(' && open != '{' {
		return s[i+1 : i+2], i + 2
	}
	closed := map[byte]byte{'(': ')', '{': '}'}[open]
	depth := 0
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case open:
			depth++
		case closed:
			if depth--; depth == 0 {
				return s[i+2 : j], j + 1
			}
		}
	}
	return "", len(s)
}
