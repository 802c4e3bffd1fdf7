package manifest

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

func isDockerfile(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, stem := range []string{"dockerfile", "containerfile"} {
		if base == stem || strings.HasPrefix(base, stem+".") || strings.HasSuffix(base, "."+stem) {
			return path.Ext(base) != ".dockerignore" && path.Ext(base) != ".go"
		}
	}
	return false
}

// A stage is one part of a Dockerfile: what is from one FROM to the next.
type stage struct {
	name, image string
	from        text
	env, args   []Setting // what runs has env alone
	start       string    // its ENTRYPOINT and CMD
}

// A dockerfile is one that is being read.
type dockerfile struct {
	f      *file
	stages []stage
	args   []Setting // before the first stage
	escape byte
	odd    bool // an instruction that is none was met
}

func (f *file) dockerfile() {
	d := &dockerfile{f: f, escape: '\\'}
	lines := f.span(0, len(f.Text)).lines()
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i].s)
		if rest, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(line), " ", ""), "#escape="); ok && rest != "" {
			d.escape = rest[0]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		var body text
		body, i = d.instruction(lines, i)
		d.take(body)
	}
	d.end()
}

// instruction joins the lines of an instruction, without the comments between
// them, and the documents behind it, and returns the index of its last line.
func (d *dockerfile) instruction(lines []text, i int) (text, int) {
	body := lines[i]
	for d.continues(lines[i].s) && i+1 < len(lines) {
		i++
		for i+1 < len(lines) && (strings.HasPrefix(strings.TrimSpace(lines[i].s), "#") || strings.TrimSpace(lines[i].s) == "") {
			i++
		}
		body = body.plus(lines[i])
	}
	for _, word := range strings.Fields(body.s) {
		rest, ok := strings.CutPrefix(word, "<<")
		if end := strings.Trim(strings.TrimPrefix(rest, "-"), `"'`); ok && end != "" && !strings.HasPrefix(rest, "<") {
			for i+1 < len(lines) {
				i++
				body = body.plus(lines[i])
				if strings.TrimSpace(lines[i].s) == end {
					break
				}
			}
		}
	}
	return body, i
}

func (d *dockerfile) continues(line string) bool {
	line = strings.TrimRight(line, " \t\r\n")
	return line != "" && line[len(line)-1] == d.escape
}

// instructions are all that a Dockerfile may have.
var instructions = strings.Fields("ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR")

func (d *dockerfile) take(t text) {
	t = t.trim()
	i := strings.IndexAny(t.s, " \t")
	if i < 0 {
		return
	}
	body := t.cut(i, len(t.s)).trim()
	name := strings.ToUpper(t.s[:i])
	if !d.odd && !slices.Contains(instructions, name) {
		d.odd = true
		d.f.cannot(t.place(0), t.s[:i]+" is no instruction of a Dockerfile", "a template, or a typing error", "")
	}
	switch name {
	case "FROM":
		d.begin(body)
	case "ENV", "ARG":
		d.set(body, name == "ARG")
	case "RUN":
		d.run(body)
	case "ENTRYPOINT", "CMD":
		if s := d.stage(); s != nil {
			s.start += body.s + " "
		}
	}
}

// begin begins a stage, which has what an earlier one has if it is made from it.
func (d *dockerfile) begin(t text) {
	words := strings.Fields(t.s)
	for len(words) > 0 && strings.HasPrefix(words[0], "--") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	s := stage{image: d.fill(words[0], d.args), from: t}
	if len(words) == 3 && strings.EqualFold(words[1], "as") {
		s.name = words[2]
	}
	for _, earlier := range d.stages {
		if strings.EqualFold(earlier.name, s.image) {
			s.image, s.env, s.start = earlier.image, slices.Clone(earlier.env), earlier.start
		}
	}
	d.stages = append(d.stages, s)
	d.f.cloned = false
}

// all is what a command of the stage sees.
func (s *stage) all() []Setting { return slices.Concat(s.args, s.env) }

func (d *dockerfile) stage() *stage {
	if len(d.stages) == 0 {
		return nil
	}
	return &d.stages[len(d.stages)-1]
}

// set reads NAME=value pairs, a name and a value, or names of arguments. An argument
// without a value has the one from before the first stage, or what the build brings.
func (d *dockerfile) set(t text, arg bool) {
	env, seen := &d.args, d.args
	if s := d.stage(); s != nil {
		env, seen = &s.env, s.all()
		if arg {
			env = &s.args
		}
	}
	add := func(name, value string, start, end int) {
		from, to := t.whole(start, end)
		value = d.fill(value, seen)
		*env = append(*env, Setting{Name: name, Value: value, At: d.f.at(t.place(start)), Start: from, End: to, Open: strings.Contains(value, unknown)})
	}
	name, value, _ := strings.Cut(t.s, " ")
	if value = strings.TrimSpace(value); !arg && !strings.Contains(name, "=") {
		if value != "" {
			add(name, value, 0, len(t.s))
		}
		return
	}
	for _, w := range fields(t) {
		name, value, valued := strings.Cut(w.s, "=")
		outer := Find(d.args, name)
		switch {
		case valued:
			add(name, value, w.start, w.end)
		case outer != nil && d.stage() != nil:
			*env = append(*env, *outer)
		default:
			*env = append(*env, Setting{Name: name, Value: unknown, At: d.f.at(t.place(w.start)), Open: true})
		}
	}
}

// fields splits a text into words as a Dockerfile and a unit do: by white space
// outside of quotes, with lines that go on.
func fields(t text) []word {
	var out []word
	var b strings.Builder
	start, quote := -1, byte(0)
	flush := func(end int) {
		if start >= 0 {
			out = append(out, word{b.String(), start, end})
		}
		b.Reset()
		start = -1
	}
	for i := 0; i < len(t.s); i++ {
		c := t.s[i]
		continued := c == '\\' && i+1 < len(t.s) && (t.s[i+1] == '\n' || t.s[i+1] == '\r')
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || continued):
			flush(i)
			continue
		case start < 0:
			start = i
		}
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '\\' && i+1 < len(t.s) && quote != '\'':
			i++
			b.WriteByte(t.s[i])
		default:
			b.WriteByte(c)
		}
	}
	flush(len(t.s))
	return out
}

// fill replaces $NAME and ${NAME} by what the file sets.
func (d *dockerfile) fill(value string, env []Setting) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(value, '$')
		if i < 0 || i+1 == len(value) {
			b.WriteString(value)
			return b.String()
		}
		b.WriteString(value[:i])
		if value[i+1] == '{' {
			inner, end := reference(value, i)
			b.WriteString(d.param(inner, env))
			value = value[end:]
			continue
		}
		name := value[i+1:]
		if end := strings.IndexFunc(name, notName); end >= 0 {
			name = name[:end]
		}
		b.WriteString(d.param(name, env))
		value = value[i+1+len(name):]
	}
}

// notName reports whether a character cannot be part of a variable's name.
func notName(r rune) bool {
	return r != '_' && !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
}

// param is what stands for NAME, NAME:-otherwise or NAME:+instead.
func (d *dockerfile) param(inner string, env []Setting) string {
	name, rest := inner, ""
	if end := strings.IndexFunc(inner, notName); end >= 0 {
		name, rest = inner[:end], inner[end:]
	}
	s, empty := Find(env, name), strings.HasPrefix(rest, ":")
	set := s != nil && (s.Value != "" || !empty)
	switch rest = strings.TrimPrefix(rest, ":"); {
	case s != nil && s.Open && rest != "":
	case strings.HasPrefix(rest, "-") && !set:
		return d.fill(rest[1:], env)
	case strings.HasPrefix(rest, "+") && !set:
		return ""
	case strings.HasPrefix(rest, "+"):
		return d.fill(rest[1:], env)
	case s != nil && (rest == "" || rest[0] == '-'):
		return s.Value
	}
	return unknown
}

func (d *dockerfile) run(t text) {
	s := d.stage()
	if s == nil {
		return
	}
	for strings.HasPrefix(t.s, "--") {
		end := strings.IndexAny(t.s, " \t\n")
		if end < 0 {
			return
		}
		t = t.cut(end, len(t.s)).trim()
		for strings.HasPrefix(t.s, "\\\n") || strings.HasPrefix(t.s, "\\\r") {
			t = t.cut(1, len(t.s)).trim()
		}
	}
	var words []string
	if strings.HasPrefix(t.s, "[") && json.Unmarshal([]byte(t.s), &words) == nil { // without a shell
		for i, w := range words {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		t = fixed(strings.Join(words, " "), t.place(0))
	}
	if strings.HasPrefix(t.s, "<<") {
		if lines := t.lines(); len(lines) > 2 {
			t = t.cut(len(lines[0].s), len(t.s)-len(lines[len(lines)-1].s))
		}
	}
	base := path.Base(d.f.File)
	d.f.shell(t, script{name: s.name, purpose: purpose(Release, s.name, base, path.Dir(d.f.File)), image: s.image, env: s.all()})
}

// end makes the last stage what runs, if it says how.
func (d *dockerfile) end() {
	s := d.stage()
	if s == nil || s.start == "" || purpose(Release, path.Base(d.f.File), path.Dir(d.f.File)) != Release {
		return
	}
	d.f.Processes = append(d.f.Processes, Process{At: d.f.at(s.from.place(0)), Name: s.name, Image: s.image, Start: s.start, Builds: len(d.f.Builds) > 0, Env: s.env})
}
