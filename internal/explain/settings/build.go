package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/rules/rule"
)

// judgeBuild looks at one build. A condition may be that somebody asked for a
// build of another kind, and so silences what is wrong in a release.
func (a *audit) judgeBuild(b build) {
	a.modules(b)
	if b.Purpose != manifest.Release || b.If {
		return
	}
	a.debugging(b)
	a.level(b)
	a.paths(b)
	a.stripping(b)
	a.resolver(b)
}

// debugging finds what a release is not to have: a compiler told not to optimise,
// and instrumented code.
func (a *audit) debugging(b build) {
	if s := b.Flag("-gcflags"); s != nil {
		off, rest := compilerOff(s.Value)
		if len(off) > 0 {
			r := remark{
				rule: "nooptimize", about: speed, at: s.At,
				text: fmt.Sprintf("%s is built with -gcflags of %s, which is for debuggers: %s", label(b), strings.Join(off, " and "), what(off)),
				try:  "leave it out of the release, and make a target of its own for debugging",
			}
			if !rest && !s.Open {
				r.fix, r.class = a.delete(*s, "Let the compiler optimise"), "A"
			}
			r.class = classed(r.fix, "A")
			a.report(r)
		}
	}
	for _, name := range []string{"-race", "-msan", "-asan"} {
		s := b.Flag(name)
		if s == nil || s.Value != "true" {
			continue
		}
		fix := a.delete(*s, "Build without "+name)
		a.report(remark{
			rule: "nooptimize", about: speed, at: s.At, fix: fix, class: classed(fix, "A"),
			text: fmt.Sprintf("%s is built with %s: a program with it takes several times the CPU time and memory, and is for tests", label(b), name),
			try:  "go test " + name + " finds the same before the release",
		})
	}
}

// compilerOff returns the flags of the compiler that switch off what makes code
// fast, and whether there are others.
func compilerOff(value string) (off []string, rest bool) {
	for _, word := range strings.Fields(value) {
		_, flag, ok := strings.Cut(word, "=")
		if !ok || strings.HasPrefix(word, "-") {
			flag = word
		}
		flag = strings.Trim(flag, `"'`)
		switch flag {
		case "-N", "-l":
			off = append(off, flag)
		case "":
		default:
			rest = true
		}
	}
	slices.Sort(off)
	return slices.Compact(off), rest
}

func what(off []string) string {
	if slices.Contains(off, "-N") {
		return "nothing is optimised"
	}
	return "nothing is inlined"
}

// label names a build in a sentence.
func label(b build) string {
	if b.Name == "" || b.Name == "release" {
		return "the release"
	}
	return "the release " + b.Name
}

// level finds a GOAMD64 above what the machines are said to have.
func (a *audit) level(b build) {
	s := manifest.Find(b.Env, "GOAMD64")
	if s == nil || s.Open || s.Value <= "v1" || len(s.Value) != 2 {
		return
	}
	r := remark{rule: "goamd64", about: portability, at: s.At}
	switch oldest, at := a.oldest(); {
	case oldest == "":
		r.tier = rule.Special
		r.text = fmt.Sprintf("%s needs a processor of level %s: on an older one it stops at once, and no file says what there is", label(b), s.Value)
		r.try = "pawl tune -oldest LEVEL states the oldest; pawl compare shows whether the level pays at all"
	case s.Value > oldest:
		r.tier, r.also = rule.Always, at
		r.text = fmt.Sprintf("%s needs a processor of level %s, and the oldest that it may run on has %s: there it stops at once", label(b), s.Value, oldest)
		r.try = "GOAMD64=" + oldest + ", or a second binary for the newer machines"
	default:
		return
	}
	a.report(r)
}

// features are the labels of node-feature-discovery that show a level.
var features = map[string]string{"AVX512F": "v4", "AVX2": "v3", "SSE42": "v2"}

// oldest returns the level of GOAMD64 that all machines have: as it was stated, or
// as the labels say on which the pods of this module insist.
func (a *audit) oldest() (string, []model.Pos) {
	if a.opt.Oldest != "" {
		return a.opt.Oldest, nil
	}
	least, where := "", []model.Pos(nil)
	for _, p := range a.runs {
		if p.kind != "deployment" || !a.own(p) || len(p.Nodes) == 0 {
			continue
		}
		has, at := "", model.Pos{}
		for _, n := range p.Nodes {
			_, feature, ok := strings.Cut(n.Name, "cpu-cpuid.")
			if level := features[feature]; ok && n.Value == "true" && level > has {
				has, at = level, n.At
			}
		}
		if has != "" && (least == "" || has < least) {
			least, where = has, []model.Pos{at}
		}
	}
	return least, where
}

// paths finds a release that has the directory of its build in it.
func (a *audit) paths(b build) {
	if b.Open || b.kind == "binary" || b.Flag("-trimpath") != nil {
		return
	}
	fix := insert(b, "-trimpath")
	a.report(remark{
		rule: "trimpath", about: reproducibility, at: b.At, fix: fix, class: classed(fix, "A"),
		text: label(b) + " has the paths of the machine that built it: another directory gives another binary. It is no slower for that",
	})
}

// stripping finds an image with debug information in it.
func (a *audit) stripping(b build) {
	if b.Open || b.kind != "Dockerfile" {
		return
	}
	if mode := b.Flag("-buildmode"); mode != nil && !slices.Contains([]string{"exe", "pie", "default"}, mode.Value) {
		return // a library, which another linker makes a program of
	}
	if s := b.Flag("-ldflags"); s == nil || !slices.Contains(strings.Fields(s.Value), "-s") && !s.Open {
		a.report(remark{
			rule: "stripped", about: size, at: b.At,
			text: label(b) + " has its debug information in the image: -ldflags=-s makes the file smaller by three tenths. It is no faster for that, and profiles need none of it",
			try:  "keep a binary with it beside the image, for debuggers",
		})
	}
}

// resolver finds tags that do nothing beside CGO_ENABLED=0.
func (a *audit) resolver(b build) {
	cgo, tags := manifest.Find(b.Env, "CGO_ENABLED"), b.Flag("-tags")
	if cgo == nil || tags == nil || cgo.Value != "0" {
		return
	}
	var idle []string
	for _, tag := range strings.FieldsFunc(tags.Value, func(r rune) bool { return r == ',' || r == ' ' }) {
		if tag == "netgo" || tag == "osusergo" {
			idle = append(idle, tag)
		}
	}
	if len(idle) > 0 {
		a.report(remark{
			rule: "nocgo", about: portability, at: tags.At, also: []model.Pos{cgo.At},
			text: fmt.Sprintf("CGO_ENABLED=0 makes %s of the tags idle: there is no resolver of the C library to leave out", strings.Join(idle, " and ")),
		})
	}
}

// modules finds builds that change go.mod as they like.
func (a *audit) modules(b build) {
	s := b.Flag("-mod")
	if s == nil || s.Value != "mod" || b.Purpose == manifest.Debug {
		return
	}
	r := remark{
		rule: "modreadonly", about: reproducibility, at: s.At, tier: rule.Special,
		text: "-mod=mod lets the build change go.mod: what is built need not be what the commit says",
		try:  "go mod tidy before the commit, and no -mod here: readonly is the default",
	}
	if b.Purpose == manifest.Release && !b.If {
		r.tier = rule.Always
	}
	a.report(r)
}
