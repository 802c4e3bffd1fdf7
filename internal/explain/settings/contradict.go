package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/rules/rule"
)

// contradictions finds what several files set differently for one program.
func (a *audit) contradictions() {
	for _, c := range []struct{ env, rule, about, means string }{
		{"CGO_ENABLED", "nocgo", portability, "one looks up names and users by the C library and needs it where it runs, the other does not"},
		{"GOAMD64", "goamd64", portability, "they do not run on the same processors"},
	} {
		a.contradicted(c.env, c.rule, c.about, c.means)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"} {
		a.overridden(name)
	}
}

// contradicted finds releases of one package that differ in a variable.
func (a *audit) contradicted(env, name, about, means string) {
	first := map[string]*manifest.Setting{} // by package
	for _, b := range a.builds {
		s := manifest.Find(b.Env, env)
		if b.Purpose != manifest.Release || b.If || len(b.Packages) != 1 || s == nil || s.Open {
			continue
		}
		pkg := strings.TrimPrefix(strings.TrimSuffix(b.Packages[0], "/"), "./")
		before := first[pkg]
		if before == nil {
			first[pkg] = s
			continue
		}
		if before.Value == s.Value || before.At.File == s.At.File {
			continue
		}
		a.report(remark{
			rule: name, about: about, tier: rule.Always, at: before.At, also: []model.Pos{s.At},
			text: fmt.Sprintf("%s is released with %s=%s here and with %s in %s: %s", pkg, env, before.Value, s.Value, s.At, means),
		})
	}
}

// overridden finds a variable of the image that a deployment sets otherwise.
func (a *audit) overridden(env string) {
	for _, image := range a.runs {
		s := manifest.Find(image.Env, env)
		if image.kind != "Dockerfile" || s == nil || s.Open || s.Value == "" {
			continue
		}
		for _, p := range a.runs {
			other := manifest.Find(p.Env, env)
			if p.kind == "Dockerfile" || p.Image == "" || !a.own(p) || other == nil || other.Open || other.Value == "" || other.Value == s.Value {
				continue
			}
			a.report(remark{
				rule: strings.ToLower(env), about: map[bool]string{true: speed, false: memory}[env == "GOMAXPROCS"], tier: rule.Always, at: s.At, also: []model.Pos{other.At},
				text: fmt.Sprintf("%s=%s in the image, and %s in %s, which is what counts there", env, s.Value, other.Value, other.At),
				try:  "one place for it",
			})
			break
		}
	}
}

// valued are the settings whose effect is that of the value.
var valued = strings.Fields("CGO_ENABLED GOAMD64 -buildvcs -pgo -mod -race -msan -asan -trimpath GOGC GOMAXPROCS GOMEMLIMIT")

// settings lists what is set, with what it does. A list of flags or tags that is
// empty sets nothing.
func (a *audit) settings() []model.Setting {
	var out []model.Setting
	add := func(s manifest.Setting, purpose, in string) {
		if s.Value == "" && slices.Contains(valued, s.Name) {
			return
		}
		about, effect := a.effect(s.Name, s.Value)
		if s.Open && slices.Contains(valued, s.Name) {
			effect = "what it is, only the build knows"
		}
		if effect != "" {
			out = append(out, model.Setting{Name: s.Name, Value: s.Value, For: purpose, In: in, At: s.At, Effect: effect, About: about})
		}
	}
	if a.goLine != nil {
		add(*a.goLine, "all", "")
	}
	for _, b := range a.builds {
		for _, s := range slices.Concat(b.Env, b.Flags) {
			add(s, string(b.Purpose), b.Name)
		}
	}
	for _, p := range a.runs {
		for _, s := range p.Env {
			add(s, "run", p.Name)
		}
		for _, s := range []*manifest.Setting{p.Memory, p.CPU} {
			if s != nil {
				add(*s, "run", p.Name)
			}
		}
	}
	for _, s := range a.code {
		add(s, "run", "code")
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s model.Setting) bool {
		key := fmt.Sprint(s.Name, "\x00", s.Value, "\x00", s.For, "\x00", s.At)
		known := seen[key]
		seen[key] = true
		return known
	})
}
