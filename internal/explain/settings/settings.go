// Package settings says what the settings of builds and runs do, and which are
// wrong: by themselves, with this go line, or beside another one.
//
// It is silent where a value is not known, where a condition decides, and where
// a build is not for a release. A finding is of tier "always" when it is wrong
// wherever the program runs, and of tier "special" when it is a choice: about
// size or reproducibility, or one that only its users can make. A fix of class A
// leaves what the program does as it is; one of class B has to be tried.
package settings

import (
	"cmp"
	"fmt"
	"go/version"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Options say what no file does.
type Options struct {
	Module string // its path
	Oldest string // the level of GOAMD64 that all machines have, v1 to v4; empty when nobody said
	Tier   string // of the findings that are wanted: always, special or all; all of them without one
	Config *rule.Config
}

// A Judgement is what is set, and what is wrong with it.
type Judgement struct {
	Set      []model.Setting
	Found    []model.SettingFinding
	Hidden   model.Hidden
	Warnings []model.Warning // about directives
}

// Judge says what is set, and what is wrong with it.
func Judge(all []*manifest.Manifest, opt Options) Judgement {
	a := &audit{opt: opt, rules: map[string]rule.Rule{}, texts: map[string][]byte{}}
	for _, e := range catalogue.All() {
		a.rules[e.Rule.Name] = e.Rule
	}
	for _, m := range all {
		a.texts[m.File] = m.Text
		if m.GoLine != nil {
			a.goLine = m.GoLine
		}
		a.makes = a.makes || m.Makes && m.Kind == "Dockerfile"
		a.code = append(a.code, m.Code...)
		for i := range m.Processes {
			a.runs = append(a.runs, process{m.Processes[i], m.Kind})
		}
		for i := range m.Builds {
			a.builds = append(a.builds, build{m.Builds[i], m.Kind})
		}
	}
	a.developers()
	for _, b := range a.builds {
		a.judgeBuild(b)
	}
	for _, p := range a.runs {
		a.judgeRun(p)
	}
	a.processors()
	a.contradictions()
	sorted.By(a.found, func(x, y model.SettingFinding) int {
		return cmp.Or(cmp.Compare(x.At.File, y.At.File), cmp.Compare(x.At.Line, y.At.Line), cmp.Compare(x.Rule, y.Rule))
	})
	a.found = slices.CompactFunc(a.found, func(x, y model.SettingFinding) bool {
		return x.At == y.At && x.Rule == y.Rule && x.Message == y.Message
	})
	out := Judgement{Set: a.settings()}
	for _, x := range a.found {
		switch {
		case opt.Tier != "" && opt.Tier != "all" && x.Tier != opt.Tier:
			out.Hidden.Tier++
		case opt.Config.Excludes(x.Rule, x.At.File):
			out.Hidden.Excluded++
		case a.silenced(x):
			out.Hidden.Suppressed++
		default:
			out.Found = append(out.Found, x)
		}
	}
	out.Warnings = a.warnings
	return out
}

// An audit is what Judge looks at, and what it found.
type audit struct {
	opt    Options
	rules  map[string]rule.Rule
	texts  map[string][]byte
	goLine *manifest.Setting
	builds []build
	runs   []process
	code   []manifest.Setting
	makes  bool // an image is built by make
	found  []model.SettingFinding

	warnings []model.Warning
}

type build struct {
	manifest.Build
	kind string // of the file
}

type process struct {
	manifest.Process
	kind string
}

// developers takes the makefile's build of a package that goreleaser releases for one
// of the developers, unless a name says what it is for, or an image is built by make.
func (a *audit) developers() {
	if a.makes {
		return
	}
	released := map[string]bool{}
	for _, b := range a.builds {
		if b.kind == "goreleaser" && b.Purpose == manifest.Release {
			released[a.packages(b)] = true
		}
	}
	for i, b := range a.builds {
		if b.Unsaid && b.Purpose == manifest.Release && released[a.packages(b)] {
			a.builds[i].Purpose = manifest.Check
		}
	}
}

func (a *audit) packages(b build) string {
	var names []string
	for _, p := range b.Packages {
		if rest, ok := strings.CutPrefix(p, a.opt.Module); ok && a.opt.Module != "" {
			p = strings.TrimPrefix(rest, "/")
		}
		if path.Ext(p) == ".go" {
			p = path.Dir(p)
		}
		names = append(names, path.Clean(p))
	}
	return cmp.Or(strings.Join(slices.Compact(names), " "), ".")
}

// env returns a variable that a program has: its own, or that of the image where it is
// one of this module. It is open where another file may set it, and where there are
// several images.
func (a *audit) env(p process, name string) *manifest.Setting {
	if s := manifest.Find(p.Env, name); s != nil {
		if s.Value == "" {
			return nil // the runtime takes it for none
		}
		return s
	}
	if p.Open {
		return &manifest.Setting{Name: name, At: p.At, Open: true}
	}
	if p.kind != "deployment" || p.Image == "" || !a.own(p) {
		return nil
	}
	var found *manifest.Setting
	images := 0
	for _, image := range a.runs {
		if image.kind != "Dockerfile" || !a.own(image) {
			continue
		}
		images++
		if s := manifest.Find(image.Env, name); s != nil && s.Value != "" {
			found = s
		}
	}
	if found != nil && images > 1 {
		one := *found
		one.Open = true
		return &one
	}
	return found
}

// limited reports whether a deployment of this module's image sets a limit.
func (a *audit) limited() bool {
	return slices.ContainsFunc(a.runs, func(p process) bool {
		s := manifest.Find(p.Env, "GOMEMLIMIT")
		if p.kind != "deployment" || s == nil || !a.own(p) {
			return false
		}
		_, ok := goBytes(s.Value)
		return ok || s.Open || strings.HasPrefix(s.Value, manifest.From)
	})
}

const (
	speed           = "speed"
	memory          = "memory"
	size            = "size"
	reproducibility = "reproducibility"
	portability     = "portability"
)

// A remark is a finding before it has its rule's words.
type remark struct {
	rule  string
	about string
	tier  rule.Tier // the rule's own when empty
	at    model.Pos
	text  string
	try   string
	also  []model.Pos
	fix   *model.Fix
	class string // of the fix
}

func (a *audit) report(r remark) {
	of := a.rules[r.rule]
	r.class = cmp.Or(r.class, "N")
	h := fnv.New64a()
	fmt.Fprint(h, r.rule, "\x00", r.at.File, "\x00", r.text)
	a.found = append(a.found, model.SettingFinding{
		Finding: model.Finding{
			Rule: r.rule, IDs: of.IDs, Title: of.Title, Tier: string(cmp.Or(r.tier, of.Tier)), Class: r.class, At: r.at, End: r.at,
			First: r.at.Line, Last: r.at.Line, Message: r.text, Try: r.try, Fix: r.fix, Hash: fmt.Sprintf("%x", h.Sum64()),
		},
		About: r.about, Also: r.also,
	})
}

// since reports whether the module's go line is at least that of a release.
func (a *audit) since(release string) bool {
	return a.goLine != nil && version.Compare("go"+a.goLine.Value, release) >= 0
}

// own reports whether a process is a program of this module, as far as the name of
// its image or its command says.
func (a *audit) own(p process) bool {
	base := path.Base(a.opt.Module)
	if major, ok := strings.CutPrefix(base, "v"); ok && strings.Trim(major, "0123456789") == "" {
		base = path.Base(path.Dir(a.opt.Module))
	}
	if p.kind == "Dockerfile" {
		return p.Builds || strings.Contains(p.Start, base)
	}
	name, _, _ := strings.Cut(path.Base(p.Image), ":")
	name, _, _ = strings.Cut(name, "@")
	if strings.HasSuffix(name, "-frontend") || strings.HasSuffix(name, "-ui") { // for browsers, and seldom Go
		return false
	}
	return p.Image == "" || strings.Contains(p.Image, "…") || strings.Contains(name, base) || len(name) > 2 && strings.Contains(base, name)
}

// delete is the fix that takes a setting out, with the space before it, or with its
// line where that has nothing else.
func (a *audit) delete(s manifest.Setting, title string) *model.Fix {
	if s.End == 0 {
		return nil
	}
	start, end, src := s.Start, s.End, a.texts[s.At.File]
	from, to := start, end
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	for to < len(src) && (src[to] == ' ' || src[to] == '\t' || src[to] == '\r') {
		to++
	}
	switch {
	case to < len(src) && src[to] == '\n' && (from == 0 || src[from-1] == '\n'):
		start, end = from, to+1
	case start > 0 && src[start-1] == ' ' && src[end-1] != '\n':
		start--
	}
	return &model.Fix{Title: title, Edits: []model.Edit{{File: s.At.File, Start: start, End: end}}}
}

// insert is the fix that adds a flag to a build.
func insert(b build, flag string) *model.Fix {
	if b.Insert.At == 0 {
		return nil
	}
	return &model.Fix{Title: "Add " + flag, Edits: []model.Edit{{
		File: b.At.File, Start: b.Insert.At, End: b.Insert.At, New: b.Insert.Before + flag + b.Insert.After,
	}}}
}

// classed is the class of a fix if there is one.
func classed(fix *model.Fix, class string) string {
	if fix == nil {
		return "N"
	}
	return class
}
