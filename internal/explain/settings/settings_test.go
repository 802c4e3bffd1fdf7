package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Judge says what is wrong with some files, a line each, and nothing of what
// cannot be known.
func TestJudge(t *testing.T) {
	const newer, older = "module example.com/app\n\ngo 1.25.0\n", "module example.com/app\n\ngo 1.24\n"
	kube := func(env, limits string) string {
		return fmt.Sprintf("containers:\n  - {name: app, image: r/app, env: [%s], resources: {limits: {%s}}}\n", env, limits)
	}
	image := func(env string) string {
		return "FROM golang\nENV " + env + "\nRUN go build .\nCMD [\"./app\"]\n"
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // rules of tier always
	}{
		{"a debugger's flags in a release", map[string]string{"Makefile": "release:\n\tgo build -gcflags='all=-N -l' .\n"}, "nooptimize"},
		{"in a build for debugging", map[string]string{"Makefile": "debug:\n\tgo build -gcflags='all=-N -l' .\n"}, ""},
		{"only if somebody asks", map[string]string{"Makefile": "ifdef D\nF = -race\nendif\nrelease:\n\tgo build $(F) .\n"}, ""},
		{"flags by GOFLAGS", map[string]string{"x.sh": "", "Dockerfile": "FROM golang\nENV GOFLAGS=-race\nRUN go build .\n"}, "nooptimize"},
		{"no limit", map[string]string{"k.yaml": kube(`{name: GOGC, value: "off"}`, "")}, "gogc"},
		{"a limit by code", map[string]string{"k.yaml": kube(`{name: GOGC, value: "off"}`, ""), "a.go": "package a\nimport \"runtime/debug\"\nfunc f() { debug.SetMemoryLimit(1) }\n"}, ""},
		{"no number", map[string]string{"k.yaml": kube(`{name: GOGC, value: 50%}`, "")}, "gogc"},
		{"at the limit", map[string]string{"k.yaml": kube("{name: GOMEMLIMIT, value: 1GiB}", "memory: 1Gi")}, "gomemlimit"},
		{"below the limit", map[string]string{"k.yaml": kube("{name: GOMEMLIMIT, value: 900MiB}", "memory: 1Gi")}, ""},
		{"not Go's unit", map[string]string{"k.yaml": kube("{name: GOMEMLIMIT, value: 900Mi}", "memory: 1Gi")}, "gomemlimit"},
		{"from a template", map[string]string{"k.yaml": kube(`{name: GOMEMLIMIT, value: "{{ .x }}"}`, "memory: 1Gi")}, ""},
		{"more threads than the limit", map[string]string{"go.mod": older, "k.yaml": kube(`{name: GOMAXPROCS, value: "8"}`, "cpu: 1500m")}, "gomaxprocs gomaxprocs"},
		{"as many as the limit", map[string]string{"go.mod": newer, "k.yaml": kube(`{name: GOMAXPROCS, value: "2"}`, "cpu: 1500m")}, ""},
		{"automaxprocs before 1.25", map[string]string{"go.mod": older, "k.yaml": kube("", "cpu: 2"), "main.go": "package main\nimport _ \"go.uber.org/automaxprocs\"\n"}, ""},
		{"automaxprocs from 1.25 on", map[string]string{"go.mod": newer, "main.go": "package main\nimport _ \"go.uber.org/automaxprocs\"\n"}, "gomaxprocs"},
		{"somebody decided", map[string]string{"go.mod": newer + "godebug containermaxprocs=0\n", "main.go": "package main\nimport _ \"go.uber.org/automaxprocs\"\n"}, ""},
		{"an image of others", map[string]string{"go.mod": newer, "k.yaml": strings.ReplaceAll(kube(`{name: GOMAXPROCS, value: "2"}`, ""), "r/app", "redis")}, ""},
		{"above the oldest machine", map[string]string{
			"go.mod": newer, "Dockerfile": "FROM golang\nRUN GOAMD64=v3 go build .\n",
			"k.yaml": "nodeSelector: {feature.node.kubernetes.io/cpu-cpuid.SSE42: \"true\"}\n" + kube("", "cpu: 2"),
		}, "goamd64"},
		{"two values", map[string]string{
			".goreleaser.yml": "builds:\n  - {main: ./cmd/app, env: [CGO_ENABLED=0]}\n",
			"Dockerfile":      "FROM golang\nENV CGO_ENABLED=1\nRUN go build ./cmd/app\n",
		}, "nocgo"},
		{"a limit in the image, off where it runs", map[string]string{
			"Dockerfile": image("GOMEMLIMIT=900MiB"), "k.yaml": kube(`{name: GOGC, value: "off"}`, ""),
		}, ""},
		{"off in the image, a limit where it runs", map[string]string{
			"Dockerfile": image("GOGC=off"), "k.yaml": kube("{name: GOMEMLIMIT, value: 900MiB}", ""),
		}, ""},
		{"a limit in the image above that of the container", map[string]string{"Dockerfile": image("GOMEMLIMIT=2GiB"), "k.yaml": kube("", "memory: 1Gi")}, "gomemlimit"},
		{"variables from elsewhere", map[string]string{"k.yaml": strings.ReplaceAll(kube(`{name: GOGC, value: "off"}`, ""), "image:", "envFrom: [x], image:")}, ""},
		{"nothing, as a chart sets it", map[string]string{
			"k.yaml": kube(`{name: GOGC, value: ""}, {name: GOMEMLIMIT, value: ""}, {name: GOMAXPROCS, value: ""}`, "memory: 1Gi"),
		}, ""},
		{"a makefile beside goreleaser", map[string]string{
			".goreleaser.yml": "builds: [{main: ./cmd/app}]\n", "Makefile": "build:\n\tgo build -race example.com/app/cmd/app\n",
		}, ""},
		{"a release of the makefile beside goreleaser", map[string]string{
			".goreleaser.yml": "builds: [{main: ./cmd/app}]\n", "Makefile": "release:\n\tgo build -race ./cmd/app\n",
		}, "nooptimize"},
		{"go.mod at will", map[string]string{"Makefile": "release:\n\tgo build -mod=mod .\n"}, "modreadonly"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []*manifest.Manifest
			for name, text := range c.files {
				if m := manifest.Read(name, []byte(text)); m != nil {
					all = append(all, m)
				}
			}
			found := Judge(all, Options{Module: "example.com/app"}).Found
			var rules []string
			for _, x := range found {
				if x.Tier == "always" {
					rules = append(rules, x.Rule)
				}
				if x.About == "" || len(x.IDs) == 0 || x.Fix == nil != (x.Class == "N") {
					t.Errorf("not whole: %+v", x)
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(rules, " ")); diff != "" {
				t.Errorf("%s\n%+v", diff, found)
			}
		})
	}
}

// A directive beside a finding or above it silences it, and one without a reason is
// named. So does the configuration.
func TestSilenced(t *testing.T) {
	const docker = "FROM golang\n%sRUN go build \\\n  -race .%s\n"
	for _, c := range []struct {
		name         string
		above, after string
		config       *rule.Config
		hidden       model.Hidden
		warned       bool
	}{
		{name: "nothing"},
		{name: "the rule", above: "# lint:ignore pawl/nooptimize a build for tests\n", hidden: model.Hidden{Suppressed: 1}},
		{name: "its id", above: "#lint:ignore pawl/B04 a build for tests\n", hidden: model.Hidden{Suppressed: 1}},
		{name: "on the line", after: " # lint:ignore pawl/nooptimize a build for tests", hidden: model.Hidden{Suppressed: 1}},
		{name: "another rule", above: "# lint:ignore pawl/gogc because\n"},
		{name: "another tool", above: "# lint:ignore DL3006 because\n"},
		{name: "no reason", above: "# lint:ignore pawl/nooptimize\n", warned: true},
		{name: "no comment", above: "ENV X=lint:ignore pawl/nooptimize because\n"},
		{name: "off", config: &rule.Config{Off: []string{"nooptimize"}}, hidden: model.Hidden{Excluded: 1}},
		{name: "excluded", config: &rule.Config{Exclude: []string{"deploy/..."}}, hidden: model.Hidden{Excluded: 1}},
		{name: "elsewhere", config: &rule.Config{Exclude: []string{"other/..."}}},
	} {
		m := manifest.Read("deploy/Dockerfile", fmt.Appendf(nil, docker, c.above, c.after))
		j := Judge([]*manifest.Manifest{m}, Options{Module: "example.com/app", Tier: "always", Config: c.config})
		j.Hidden.Tier = 0
		if j.Hidden != c.hidden || len(j.Found) == 0 != (c.hidden != model.Hidden{}) || len(j.Warnings) > 0 != c.warned {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}
