package difftest

import (
	"bytes"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/inject"
)

// text writes the step of a sequence and its function, and says in the calls how their arguments are written.
func (s *sequence) text(p *packer) string {
	var fields, makers, methods, said strings.Builder
	for i, t := range s.argue(p) {
		fmt.Fprintf(&fields, "\tA%d %s\n", i, t)
	}
	for i, t := range s.calls {
		to, name := &methods, "."+t.fn.Name.Name
		if t.fn.Recv == nil {
			to, name = &makers, t.fn.Name.Name
		}
		fmt.Fprintf(to, "\t\tcase %d:\n%s", i, s.step(t))
		fmt.Fprintf(&said, "\tcase %d:\n\t\treturn %q, %#v\n", i, name, t.args)
	}
	return fmt.Sprintf(`
// %[1]s%[2]d is a call: which one, on which value, and with which other.
type %[1]s%[2]d struct {
	Of       int16
	On, With int32
%[3]s}

// PawlCall returns what is called, and with which fields.
func (s %[1]s%[2]d) PawlCall() (name string, fields []string) {
	switch s.Of {
%[10]s	}
	return "new(%[5]s)", nil
}

// PawlCalls returns how many calls there are.
func (%[1]s%[2]d) PawlCalls() int { return %[11]d }

// %[4]s%[2]d makes values and calls their methods, and returns what these do.
func %[4]s%[2]d(steps []%[1]s%[2]d) (out []interface{}) {
	all := []*%[5]s{}
	for _, s := range steps {
		switch s.Of {
		case %[6]d:
			all = append(all, new(%[5]s))
%[7]s		}
		if len(all) == 0 {
			continue
		}
		x, y := all[uint(s.On)%%uint(len(all))], all[uint(s.With)%%uint(len(all))]
		_ = y
		switch s.Of {
%[8]s		}
	}
	for _, x := range all {
		_ = x
%[9]s	}
	return out
}
`, stepPrefix, s.n, fields.String(), sequencePrefix, s.own.Name(), ofZero, makers.String(), methods.String(), s.visible(), said.String(), len(s.calls))
}

// argue decides which fields of a step hold the arguments of the calls, and returns the types of these. Calls share them: a long list
// of steps is not to be larger than it must be.
func (s *sequence) argue(p *packer) (of []string) {
	for i := range s.calls {
		t, taken := &s.calls[i], make(map[int]bool)
		for v := range t.sig().Params().Variables() {
			if s.isOwn(v.Type()) {
				t.args = append(t.args, another)
				continue
			}
			text := types.TypeString(v.Type(), p.qualify)
			at := 0
			for ; at < len(of) && (taken[at] || of[at] != text); at++ {
			}
			if at == len(of) {
				of = append(of, text)
			}
			taken[at] = true
			t.args = append(t.args, fmt.Sprintf("A%d", at))
		}
	}
	return of
}

func (t turn) sig() *types.Signature { return t.obj.Type().(*types.Signature) }

// step writes one call, and what becomes of its results.
func (s sequence) step(t turn) string {
	args := slices.Clone(t.args)
	for i, a := range args {
		if a != another {
			args[i] = "s." + a
		}
	}
	dots := ""
	if t.sig().Variadic() {
		dots = "..."
	}
	call := t.fn.Name.Name + "(" + strings.Join(args, ", ") + dots + ")"
	if t.fn.Recv != nil {
		call = "x." + call
	}
	r := t.sig().Results()
	if r.Len() == 0 {
		return "\t\t\t" + call + "\n"
	}
	var names, shown []string
	for i := range r.Len() {
		names = append(names, fmt.Sprintf("r%d", i))
		shown = append(shown, names[i])
		if it, ok := r.At(i).Type().Underlying().(*types.Interface); ok && it.Empty() {
			shown[i] = shownFunc + "(" + names[i] + ")"
		}
	}
	keep := ""
	if s.makes(r) {
		keep, shown[0] = "\t\t\tif r0 != nil {\n\t\t\t\tall = append(all, r0)\n\t\t\t}\n", "r0 == nil"
	}
	return "\t\t\t" + strings.Join(names, ", ") + " := " + call + "\n" + keep + "\t\t\tout = append(out, " + strings.Join(shown, ", ") + ")\n"
}

// visible writes that the exported fields are among what is compared.
func (s sequence) visible() string {
	var b strings.Builder
	str, ok := s.own.Type().Underlying().(*types.Struct)
	was, ok2 := s.c.base.decls[s.own.Name()].obj.Type().Underlying().(*types.Struct)
	if !ok || !ok2 {
		return ""
	}
	for f := range str.Fields() {
		same := func(v *types.Var) bool {
			return v.Name() == f.Name() && types.TypeString(v.Type(), nil) == types.TypeString(f.Type(), nil)
		}
		if f.Exported() && s.plain(f.Type(), map[types.Type]bool{}) && slices.ContainsFunc(slices.Collect(was.Fields()), same) {
			fmt.Fprintf(&b, "\t\tout = append(out, x.%s)\n", f.Name())
		}
	}
	return b.String()
}

// shownText writes the function by which a value in an interface is compared that may be of a type that changed.
func (c *comparison) shownText() string {
	var own []string
	for _, t := range c.retyped() {
		own = append(own, t, "*"+t)
	}
	return fmt.Sprintf("\nfunc %s(v interface{}) interface{} {\n\tswitch v.(type) {\n\tcase %s:\n\t\treturn \"one of the package's own\"\n\t}\n\treturn v\n}\n", shownFunc, strings.Join(own, ", "))
}

// retyped returns the names of the types that changed and whose values may be in an interface.
func (c *comparison) retyped() (own []string) {
	for _, d := range c.base.sorted(typeDecl) {
		named, ok := d.obj.Type().(*types.Named)
		if c.foreign[d] == "" || c.cand.decls[d.key] == nil || !ok || named.TypeParams() != nil || types.IsInterface(named) {
			continue
		}
		own = append(own, d.key)
	}
	return own
}

// hooks returns the edits by which what tests and benchmarks call is noted.
func (s sequence) hooks() map[*decl][]model.Edit {
	all := make(map[*decl][]model.Edit)
	note := func(d *decl, with, step string, makes bool) {
		names, edits := inject.Params(d.file.File, d.fn)
		recv, made := "nil", "nil"
		if d.fn.Recv != nil {
			recv = names[0]
		}
		if makes {
			results, more := inject.Results(d.file.File, d.fn)
			edits, made = append(edits, more...), "&"+results[0]
		}
		all[d] = append(edits, inject.Open(d.file.File, d.fn.Body, fmt.Sprintf("if %[1]s.On() { defer %[1]s.Called(%[2]d, %[3]s, %[4]s, %[5]s)(%[6]s) };", alias, s.n, recv, with, step, made)))
	}
	for i, t := range s.calls {
		names, _ := inject.Params(t.file.File, t.fn)
		if t.fn.Recv != nil {
			names = names[1:]
		}
		with, step := "nil", fmt.Sprintf("%s%d{Of: %d", stepPrefix, s.n, i)
		for j, a := range t.args {
			if a == another {
				with = names[j]
			} else {
				step += ", " + a + ": " + names[j]
			}
		}
		note(t.decl, with, step+"}", s.makes(t.sig().Results()))
	}
	for _, d := range s.unsure {
		note(d, "nil", fmt.Sprintf("%q", d.key), s.makes(d.obj.Type().(*types.Signature).Results()))
	}
	return all
}

// withSequences returns the comparison of a package to which its sequences were added, and puts their file into the layer; the
// comparison as it is where there are none.
func (p *Plan) withSequences(c *comparison, layer *layer) (*comparison, error) {
	all := c.sequencesOf()
	if len(all) == 0 {
		return c, nil
	}
	pack := &packer{own: c.cand.pkg}
	var funcs bytes.Buffer
	for i := range all {
		funcs.WriteString(all[i].text(pack))
	}
	text := fmt.Appendf(nil, "%spackage %s\n\n%s%s%s", generatedBy, c.cand.pkg.Name(), pack.imports(), c.shownText(), funcs.Bytes())
	u := &unit{pkg: c.pkg, by: c.by}
	for of, to := range map[*side]**side{c.base: &u.base, c.cand: &u.cand} {
		texts := make(map[string][]byte)
		for _, f := range of.files {
			texts[f.Name] = f.Src
		}
		rel, err := filepath.Rel(p.cfg.Root, filepath.Join(c.pkg.Dir, sequencesFile))
		if err != nil {
			return nil, err
		}
		texts[filepath.ToSlash(rel)] = text
		if *to, err = c.by.load(c.pkg, p.cfg.Root, texts); err != nil {
			return c, nil // its functions are driven without
		}
	}
	now := compare(u)
	now.sequences = all
	for _, s := range all {
		for d, edits := range s.hooks() {
			at := now.cand.decls[d.key]
			now.noted[at.file] = append(now.noted[at.file], edits...)
		}
	}
	return now, layer.Put(filepath.Join(c.pkg.Dir, sequencesFile), text)
}

// sequence reports whether a subject is one that was added.
func (s *subject) sequence() bool { return filepath.Base(s.cand.file.Name) == sequencesFile }

// played writes what tells the library of a sequence, "" for any other subject.
func (s *subject) played() string {
	if !s.sequence() || s.skipped != "" {
		return ""
	}
	n := strings.TrimPrefix(s.cand.key, sequencePrefix)
	at, _ := strconv.Atoi(n)
	return fmt.Sprintf("\t%s.Sequence(%s, %d, %s%s{}, []interface{}{(*%s)(nil)}, %t, %s, %s, %#v)\n", alias, n, s.id, stepPrefix, n,
		strings.Join(s.c.retyped(), ")(nil), (*"), s.c.sequences[at].zeros(), s.adapter(candPrefix), s.adapter(basePrefix), s.c.sequences[at].setters)
}
