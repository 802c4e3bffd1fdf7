package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script is shell that is being read for the builds in it.
type script struct {
	f       *file
	t       text
	name    string // of what the script belongs to
	purpose Purpose
	image   string
	vars    map[string]string // of the shell, exported or not
	env     []Setting
	ifs     int // how many conditions we are in

	from, to int    // the bytes of the file that the script is, where variables came from others
	unsaid   bool   // no name says what it is for
	part     bool   // other files may bring flags
	dir      string // that it changed to
}

// shell reads the builds of a script, which has some environment already.
func (f *file) shell(t text, s script) {
	if !slices.ContainsFunc([]string{"build", "install", "make", "git"}, func(w string) bool { return strings.Contains(t.s, w) }) {
		return // whatever it is, it has no build
	}
	root, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(t.s), "")
	if err != nil {
		if strings.Contains(t.s, "go build") || strings.Contains(t.s, "go install") {
			f.cannot(t.place(0), "shell that cannot be parsed: "+parsed(err), "a template, or another shell's syntax", "")
		}
		return
	}
	s.f, s.t, s.vars, s.env = f, t, map[string]string{}, slices.Clone(s.env)
	for _, e := range s.env {
		s.vars[e.Name] = e.Value
	}
	s.stmts(root.Stmts)
}

func (s *script) stmts(all []*syntax.Stmt) {
	for _, st := range all {
		s.command(st.Cmd)
	}
}

// under reads what runs only if something holds.
func (s *script) under(all []*syntax.Stmt) {
	s.ifs++
	s.stmts(all)
	s.ifs--
}

func (s *script) command(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.DeclClause:
		for _, a := range c.Args {
			s.assign(a, c.Variant.Value == "export")
		}
	case *syntax.BinaryCmd:
		s.command(c.X.Cmd)
		if c.Op == syntax.OrStmt {
			s.under([]*syntax.Stmt{c.Y})
		} else {
			s.command(c.Y.Cmd)
		}
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.under(c.Cond)
			s.under(c.Then)
		}
	case *syntax.CaseClause:
		for _, item := range c.Items {
			s.under(item.Stmts)
		}
	case *syntax.WhileClause:
		s.under(c.Do)
	case *syntax.ForClause:
		s.stmts(c.Do)
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.Subshell:
		inner := *s
		inner.vars, inner.env = cloneVars(s.vars), slices.Clone(s.env)
		inner.stmts(c.Stmts)
	case *syntax.FuncDecl:
		s.command(c.Body.Cmd)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			s.command(c.Stmt.Cmd)
		}
	}
}

func cloneVars(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	maps.Copy(out, m)
	return out
}

// assign keeps a variable. One that a condition sets may be as it was, too.
func (s *script) assign(a *syntax.Assign, export bool) {
	if a.Name == nil {
		return
	}
	name, value := a.Name.Value, ""
	switch {
	case a.Naked:
		value = s.vars[name]
	case a.Array != nil:
		value = unknown
	case a.Value != nil:
		value = s.value(a.Value.Parts)
	}
	if a.Append {
		value = s.vars[name] + value
	}
	if s.ifs > 0 && !a.Naked {
		value = strings.TrimSpace(s.vars[name] + " " + unknown)
	}
	s.vars[name] = value
	if export || Find(s.env, name) != nil {
		s.env = append(s.env, s.setting(name, value, int(a.Pos().Offset()), int(a.End().Offset())))
	}
}

// setting makes one of the bytes of the script that say it.
func (s *script) setting(name, value string, start, end int) Setting {
	from, to := s.t.whole(start, end)
	return Setting{Name: name, Value: value, At: s.f.at(s.t.place(start)), Start: from, End: to, Open: strings.Contains(value, unknown)}
}

// A word is one of a command's, as the shell passes it on.
type word struct {
	s          string
	start, end int
}

// words returns the words of a command. A variable without quotes is as many as
// its value has.
func (s *script) words(all []*syntax.Word) []word {
	var out []word
	for _, w := range all {
		value, start, end := s.value(w.Parts), int(w.Pos().Offset()), int(w.End().Offset())
		if _, ok := w.Parts[0].(*syntax.ParamExp); !ok || len(w.Parts) > 1 {
			out = append(out, word{value, start, end})
			continue
		}
		for _, field := range strings.Fields(value) {
			out = append(out, word{field, start, start})
		}
	}
	return out
}

// value is what the parts of a word come to.
func (s *script) value(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(s.value(p.Parts))
		case *syntax.ParamExp:
			b.WriteString(s.param(p))
		default:
			b.WriteString(unknown)
		}
	}
	return b.String()
}

func (s *script) param(p *syntax.ParamExp) string {
	simple := p.Param != nil && p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Length && !p.Excl
	if simple {
		if v, ok := s.vars[p.Param.Value]; ok {
			return v
		}
	}
	return unknown
}

// unescape takes the backslashes out of a word without quotes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// call reads a command: an assignment, or a program with its environment.
func (s *script) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assign(a, false)
		}
		return
	}
	env := slices.Clone(s.env)
	for _, a := range c.Assigns {
		if a.Name != nil && a.Value != nil {
			env = append(env, s.setting(a.Name.Value, s.value(a.Value.Parts), int(a.Pos().Offset()), int(a.End().Offset())))
		}
	}
	words := s.words(c.Args)
	for len(words) > 0 {
		name, value, assigned := strings.Cut(words[0].s, "=")
		switch {
		case slices.Contains(wrappers, path.Base(words[0].s)):
		case assigned && name != "" && !strings.HasPrefix(name, "-"):
			env = append(env, s.setting(name, value, words[0].start, words[0].end))
		default:
			s.program(words, env)
			return
		}
		words = words[1:]
	}
}

// wrappers are commands that run another one.
var wrappers = []string{"env", "time", "exec", "sudo", "command", "nice", "@"}

// program reads a call of the go command, if it makes a binary.
func (s *script) program(words []word, env []Setting) {
	if len(words) < 2 || !isGo(words[0].s) {
		s.other(words)
		return
	}
	if words[1].s != "build" && words[1].s != "install" || s.f.cloned {
		return
	}
	b := Build{At: s.f.at(s.begins(words)), Name: s.name, Purpose: s.purpose, Unsaid: s.unsaid, Env: env, Open: s.part, If: s.ifs > 0, Image: s.image}
	if g := Find(env, "GOFLAGS"); g != nil && slices.Contains(goFlags(g.Value), unknown) {
		b.Open = true
	}
	if _, end := s.t.whole(words[1].start, words[1].end); end > 0 {
		b.Insert = Insert{At: end, Before: " "}
	}
	s.arguments(&b, words[2:])
	if slices.ContainsFunc(b.Packages, func(p string) bool { return strings.Contains(p, "@") || strings.HasPrefix(p, "std") }) {
		return // a tool from elsewhere
	}
	if words[1].s == "install" && s.image == "" && b.Purpose == Release {
		b.Purpose = Check // for who typed it
	}
	if b.Purpose == Release {
		b.Purpose = s.released(&b)
	}
	s.f.again(&b)
	s.f.Builds = append(s.f.Builds, b)
}

// other reads a program that is not the go command, for what it means to builds.
func (s *script) other(words []word) {
	switch path.Base(words[0].s) {
	case "make", "gmake":
		s.f.Makes = true
	case "git":
		s.f.cloned = s.f.cloned || slices.ContainsFunc(words, func(w word) bool { return w.s == "clone" })
	case "cd":
		if len(words) > 1 {
			s.dir = path.Join(s.dir, words[1].s)
		}
	}
}

// released is the purpose of a build as its output and its packages say, where the names
// around it speak of a release.
func (s *script) released(b *Build) Purpose {
	o, dir := Find(b.Flags, "-o"), s.dir
	if c := Find(b.Flags, "-C"); c != nil {
		dir = path.Join(dir, c.Value)
	}
	switch {
	case dir != "" && !path.IsAbs(dir) && aside(dir+"/."), len(b.Packages) > 0 && !slices.ContainsFunc(b.Packages, func(p string) bool { return !aside(p) }):
		return Check
	case o == nil && slices.ContainsFunc(b.Packages, func(p string) bool { return strings.Contains(p, "...") }):
		return Check // with several packages nothing is written
	case o == nil:
		return Release
	case o.Value == "/dev/null", slices.ContainsFunc(strings.Split(path.Dir(o.Value), "/"), hiddenName):
		return Check
	}
	return purpose(Release, path.Base(o.Value))
}

// again drops an earlier build of an image whose file a later one writes anew: it only
// fills the cache.
func (f *file) again(b *Build) {
	o := Find(b.Flags, "-o")
	if b.Image == "" || o == nil {
		return
	}
	f.Builds = slices.DeleteFunc(f.Builds, func(e Build) bool {
		before := Find(e.Flags, "-o")
		return e.Name == b.Name && before != nil && before.Value == o.Value && slices.Equal(e.Packages, b.Packages)
	})
}

// begins returns where a command stands: at its first word that is not from elsewhere.
func (s *script) begins(words []word) int {
	for _, w := range words {
		if at := s.t.place(w.start); s.to == 0 || at >= s.from && at <= s.to {
			return at
		}
	}
	return s.from
}

// hiddenName reports whether an element of a path is for a directory that people keep
// out of sight, as they do with tools for the build.
func hiddenName(element string) bool {
	return len(element) > 2 && element[0] == '.' && element[1] != '.'
}

// aside reports whether a package stands below a directory of tests, tools or examples.
// Below cmd such names are of programs for users, and kind is one. Of an import path the
// part that names a repository says nothing.
func aside(pkg string) bool {
	dirs := strings.Split(path.Dir(path.Clean(pkg)), "/")
	if strings.HasSuffix(pkg, "/.") {
		dirs = strings.Split(path.Clean(pkg), "/")
	}
	if len(dirs) > 2 && strings.Contains(dirs[0], ".") && dirs[0] != ".." {
		dirs = dirs[3:]
	}
	if i := slices.Index(dirs, "cmd"); i >= 0 {
		dirs = dirs[:i]
	}
	return slices.ContainsFunc(dirs, func(d string) bool { return slices.Contains(checking, d) })
}

func isGo(name string) bool {
	base := path.Base(name)
	return base == "go" || base == "xx-go" || base == "go.exe"
}

// switches are the flags of go build that take no value, unless it stands behind
// an equals sign.
var switches = strings.Fields("-a -n -race -msan -asan -cover -v -work -x -trimpath -linkshared -modcacherw -i -json -buildvcs")

// arguments tells the flags of a build from its packages.
func (s *script) arguments(b *Build, words []word) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w.s, "-") || len(b.Packages) > 0 {
			if strings.TrimSpace(w.s) == unknown && len(b.Packages) == 0 {
				b.Open = true
			} else if w.s != "" {
				b.Packages = append(b.Packages, w.s)
			}
			continue
		}
		name, value, valued := strings.Cut("-"+strings.TrimLeft(w.s, "-"), "=")
		end := w.end
		switch {
		case valued:
		case slices.Contains(switches, name):
			value = "true"
		case i+1 < len(words):
			i++
			value, end = words[i].s, words[i].end
		}
		b.Flags = append(b.Flags, s.setting(name, value, w.start, end))
	}
}

// shellScript reads a script that is a file of its own. Most are for developers.
func (f *file) shellScript() {
	f.shell(f.span(0, len(f.Text)), script{name: path.Base(f.File), purpose: purpose(Check, path.Dir(f.File), path.Base(f.File))})
}
