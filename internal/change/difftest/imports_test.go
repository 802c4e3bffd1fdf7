package difftest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

const nameTest = `package m

import "testing"

func TestIsName(t *testing.T) {
	for _, s := range []string{"", "abc", "a1", "A", "1a", "abc  ", "abc\t"} {
		IsName(s)
	}
}
`

const nameRegexp = `package m

import "regexp"

var name = regexp.MustCompile("^[a-z][a-z0-9]*\\s*$")

func IsName(s string) bool { return name.MatchString(s) }
`

// nameLoop trims fewer kinds of space than the regular expression allows.
const nameLoop = `package m

func IsName(s string) bool {
	for len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
`

// A change may drop, add or rename an import of the package, in any file: both
// versions are compared all the same, and what is not equal is found. The
// packages are those of before the change as well as those of after it.
func TestImports(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	tests := []struct {
		name       string
		base, cand map[string]string
	}{
		{"the last use is dropped", map[string]string{"m.go": nameRegexp}, map[string]string{"m.go": nameLoop}},
		{"it is added", map[string]string{"m.go": nameLoop}, map[string]string{"m.go": nameRegexp}},
		{"it is renamed", map[string]string{"m.go": nameRegexp},
			map[string]string{"m.go": strings.NewReplacer(`import "regexp"`, `import re "regexp"`, "regexp.Must", "re.Must", `\\s*`, "[ \\\\t]*").Replace(nameRegexp)}},
		{"another file imports it still", map[string]string{"m.go": nameRegexp, "o.go": "package m\n\nimport \"regexp\"\n\nvar Other = regexp.MustCompile(\"x\")\n"},
			map[string]string{"m.go": nameLoop}},
		{"several files drop theirs", map[string]string{"m.go": nameRegexp, "o.go": "package m\n\nimport \"strings\"\n\nfunc up(s string) string { return strings.ToUpper(s) }\n"},
			map[string]string{"m.go": nameLoop, "o.go": "package m\n\nfunc up(s string) string { return s }\n"}},
		{"a package of the module", map[string]string{"m.go": strings.ReplaceAll(nameRegexp, `"regexp"`, `regexp "example.com/m/old"`), "old/old.go": "package old\n\nimport \"regexp\"\n\nfunc MustCompile(s string) *regexp.Regexp { return regexp.MustCompile(s) }\n"},
			map[string]string{"m.go": nameLoop}},
		{"a package that goes with it", map[string]string{"m.go": strings.ReplaceAll(nameRegexp, `"regexp"`, `regexp "example.com/m/old"`), "old/old.go": "package old\n\nimport \"regexp\"\n\nfunc MustCompile(s string) *regexp.Regexp { return regexp.MustCompile(s) }\n"},
			map[string]string{"m.go": nameLoop, "old/old.go": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 4)
			tt.base["m_test.go"] = nameTest
			m := newModule(t, tt.base, tt.cand)
			before := newModule(t, tt.base, maps.Clone(tt.base)).cfg.Changed
			m.cfg.Changed[0].Imports, m.cfg.NoRace = before[0].Imports, true
			p := m.plan(t)
			found, _, err := p.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(found, func(d model.Driven) bool { return d.Func == "example.com/m.IsName" })
			if at < 0 || found[at].Pairs == 0 || found[at].OK() || len(p.Notes()) > 0 {
				t.Errorf("IsName was not shown to differ: %+v, %q", found, p.Notes())
			}
		})
	}
}

// What a package does as it is initialized it does for both versions: that is
// not compared, and said.
func TestImportEffects(t *testing.T) {
	t.Parallel()
	const format = "package m\n\nimport (\n\t\"bytes\"\n\t\"image\"\n%s)\n\nfunc Known(b []byte) bool {\n\t_, _, err := image.Decode(bytes.NewReader(b))\n\treturn err == nil\n}\n"
	with, without := strings.Replace(format, "%s", "\t_ \"image/png\"\n", 1), strings.Replace(format, "%s", "", 1)
	for who, m := range map[string]module{
		"base":      newModule(t, map[string]string{"m.go": with}, map[string]string{"m.go": without}),
		"candidate": newModule(t, map[string]string{"m.go": without}, map[string]string{"m.go": with}),
	} {
		want := "only the " + who + " imports image/png, where initialization calls image.RegisterFormat: what that changes elsewhere was not compared"
		if got := m.plan(t).Notes(); !slices.Equal(got, []string{want}) {
			t.Errorf("notes are %q, want %q", got, want)
		}
	}
}
