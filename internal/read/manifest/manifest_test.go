package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told writes what a manifest says, a line for each build, process and setting.
func toldOf(m *Manifest) string {
	if m == nil {
		return ""
	}
	var b strings.Builder
	one := func(s Setting) {
		fmt.Fprintf(&b, "  %d:%d %s=%s", s.At.Line, s.At.Col, s.Name, s.Value)
		if s.End > 0 {
			fmt.Fprintf(&b, " [%s]", strings.TrimSuffix(string(m.Text[s.Start:s.End]), "\n"))
		}
		b.WriteString("\n")
	}
	for _, x := range m.Builds {
		fmt.Fprintf(&b, "%s build %s %s open=%v if=%v\n", x.Purpose, x.Name, x.Packages, x.Open, x.If)
		for _, s := range x.Env {
			one(s)
		}
		for _, s := range x.Flags {
			one(s)
		}
	}
	for _, x := range m.Processes {
		fmt.Fprintf(&b, "run %s %s\n", x.Name, x.Image)
		for _, s := range x.Env {
			one(s)
		}
		for _, s := range []*Setting{x.Memory, x.CPU} {
			if s != nil {
				one(*s)
			}
		}
		for _, s := range x.Nodes {
			one(s)
		}
	}
	for _, s := range m.Code {
		b.WriteString("code\n")
		one(s)
	}
	for _, w := range m.Unread {
		fmt.Fprintf(&b, "unread %s\n", w.Seen)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"variables of make, and a target of its own", "Makefile", `GO ?= go
FLAGS := -trimpath \
	-ldflags "-s -w"
FLAGS += -tags=x # and more
.PHONY: build debug
build: deps ## makes it, with X="y"
	@$(GO) build $(FLAGS) -o bin/app ./cmd/app
debug: GCFLAGS = all=-N -l
debug:
	go build -gcflags='$(GCFLAGS)' .
`, `release build build [./cmd/app] open=false if=false
  2:10 -trimpath=true [-trimpath]
  3:2 -ldflags=-s -w [-ldflags "-s -w"]
  4:10 -tags=x [-tags=x]
  7:24 -o=bin/app [-o bin/app]
debug build debug [.] open=false if=false
  10:11 -gcflags=all=-N -l
`},
		{"make that asks the shell, or a condition", "x/build.mk", `V != git describe
ifdef DEBUG
EXTRA = -race
endif
all:
	go build $(EXTRA) -ldflags "-X main.v=$(V)" $(shell echo -x) .
`, `release build all [.] open=true if=false
  6:20 -ldflags=-X main.v=…
`},
		{"stages, lines that go on, and a document", "Dockerfile", `# syntax=docker/dockerfile:1
ARG GO=1.26
FROM golang:${GO} AS build
ARG CGO_ENABLED=0
ENV GOFLAGS=-mod=mod \
    # why
    GOAMD64=v3
RUN --mount=type=cache,target=/c \
    cd /src && \
    # a comment
    go build -race -o /app ./cmd/app
RUN <<EOF
go build ./two
EOF
FROM scratch
ENV GOGC off
COPY --from=build /app /app
ENTRYPOINT ["/app"]
`, `release build build [./cmd/app] open=false if=false
  4:5 CGO_ENABLED=0 [CGO_ENABLED=0]
  5:5 GOFLAGS=-mod=mod [GOFLAGS=-mod=mod]
  7:5 GOAMD64=v3 [GOAMD64=v3]
  11:14 -race=true [-race]
  11:20 -o=/app [-o /app]
release build build [./two] open=false if=false
  4:5 CGO_ENABLED=0 [CGO_ENABLED=0]
  5:5 GOFLAGS=-mod=mod [GOFLAGS=-mod=mod]
  7:5 GOAMD64=v3 [GOAMD64=v3]
run  scratch
  16:5 GOGC=off [GOGC off]
`},
		{"shell with variables and conditions", "release.sh", `export CGO_ENABLED=0
flags="-trimpath -race"
if test "$1" = d; then go build -gcflags=-N .; fi
GOAMD64=v2 go build $flags "$2" ./x && echo go build
go install example.com/tool@latest
`, `release build release.sh [.] open=false if=true
  1:8 CGO_ENABLED=0 [CGO_ENABLED=0]
  3:33 -gcflags=-N [-gcflags=-N]
release build release.sh [./x] open=true if=false
  1:8 CGO_ENABLED=0 [CGO_ENABLED=0]
  4:1 GOAMD64=v2 [GOAMD64=v2]
  4:21 -trimpath=true
  4:21 -race=true
`},
		{"goreleaser with a flag and its value as two", ".goreleaser.yml", `builds:
  - flags:
      - -tags
      - netgo release
      - -trimpath
`, `release build  [] open=false if=false
  3:9 -tags=netgo release
  5:9 -trimpath=true [      - -trimpath]
`},
		{"tools for the build", "Makefile", `.bin/gen:
	go build -o $@ ./cmd/gen
build:
	go build -o bin/app ./tools/gen
	go build -o bin/app ./cmd/kind
`, `check build .bin/gen [./cmd/gen] open=false if=false
  2:11 -o=.bin/gen
check build build [./tools/gen] open=false if=false
  4:11 -o=bin/app [-o bin/app]
release build build [./cmd/kind] open=false if=false
  5:11 -o=bin/app [-o bin/app]
`},
		{"a step of a release that is for something else", ".github/workflows/release.yml", `jobs:
  release:
    steps:
      - {name: make a snapshot, run: go build .}
      - {name: build, run: go build .}
`, `check build release [.] open=false if=false
release build release [.] open=false if=false
`},
		{"code that asks for the limit", "a.go", `package a

import "runtime/debug"

var is = debug.SetMemoryLimit(-1)

func f() { println(debug.SetMemoryLimit(-1)); debug.SetMemoryLimit(1 << 30) }
`, `code
  7:47 runtime/debug.SetMemoryLimit=1 << 30
`},
		{"goreleaser with what is merged", ".goreleaser.yml", `builds:
  - &a
    id: one
    env: [CGO_ENABLED=0]
    flags:
      - -trimpath
      - -race
    ldflags: -s -X main.v={{.Version}}
  - <<: *a
    id: debug
    goamd64: [v3, v1]
`, `release build one [] open=false if=false
  4:11 CGO_ENABLED=0 [CGO_ENABLED=0]
  6:9 -trimpath=true [      - -trimpath]
  7:9 -race=true [      - -race]
  8:14 -ldflags=-s -X main.v=…
debug build debug [] open=false if=false
  4:11 CGO_ENABLED=0 [CGO_ENABLED=0]
  11:14 GOAMD64=v1
  6:9 -trimpath=true [      - -trimpath]
  7:9 -race=true [      - -race]
  8:14 -ldflags=-s -X main.v=…
`},
		{"a workflow", ".github/workflows/release.yml", `on: push
env: {GOFLAGS: -trimpath}
jobs:
  publish:
    steps:
      - run: |
          make x
          go build -o ${{ matrix.out }} .
  test:
    steps:
      - run: go build -race .
      - {shell: pwsh, run: go build $env:X}
`, `release build publish [.] open=false if=false
  2:16 GOFLAGS=-trimpath [-trimpath]
  8:20 -o=…
check build test [.] open=false if=false
  2:16 GOFLAGS=-trimpath [-trimpath]
  11:23 -race=true [-race]
`},
		{"a pipeline", ".gitlab-ci.yml", "release:\n  variables: {CGO_ENABLED: \"0\"}\n  script:\n    - cd x\n    - go build .\n",
			"release build release [.] open=false if=false\n  2:28 CGO_ENABLED=0 [0]\n"},
		{"a deployment", "deploy/app.yaml", `kind: ConfigMap
---
spec:
  nodeSelector: {feature.node.kubernetes.io/cpu-cpuid.AVX2: "true"}
  containers:
    - name: app
      image: reg/app:1
      env:
        - {name: GOGC, value: "off"}
        - name: GOMEMLIMIT
          valueFrom: {resourceFieldRef: {resource: limits.memory}}
      resources: {limits: {memory: 512Mi, cpu: 500m}}
`, `run app reg/app:1
  9:31 GOGC=off [off]
  11:52 GOMEMLIMIT=from limits.memory
  12:36 memory limit=512Mi [512Mi]
  12:48 CPU limit=500m [500m]
  4:61 feature.node.kubernetes.io/cpu-cpuid.AVX2=true [true]
`},
		{"compose", "compose.yml", "services:\n  web:\n    image: app\n    mem_limit: 1g\n    environment:\n      - GOGC=50\n      - X\n",
			"run web app\n  6:9 GOGC=50 [GOGC=50]\n  4:16 memory limit=1g [1g]\n"},
		{"arguments of an image, with what stands in for them", "Dockerfile", `ARG MEM=1GiB
FROM golang AS build
ARG TARGETOS RACE
ARG LEVEL
ENV GOAMD64=${LEVEL:-v3} CGO_ENABLED=${CGO:-0} GOFLAGS="'-ldflags=-s -w' -trimpath"
RUN ["go", "build", "-race", "./a b"]
RUN go build ${RACE:+-race} .
FORM x
FROM scratch
ARG MEM
ENV GOMEMLIMIT=${MEM} GOGC=${GOGC:-${OTHER-50}}
ENV GOMAXPROCS ${PROCS}
CMD ["/app"]
`, `release build build [./a b] open=false if=false
  3:5 TARGETOS=…
  3:14 RACE=…
  4:5 LEVEL=…
  5:5 GOAMD64=… [GOAMD64=${LEVEL:-v3}]
  5:26 CGO_ENABLED=0 [CGO_ENABLED=${CGO:-0}]
  5:48 GOFLAGS='-ldflags=-s -w' -trimpath [GOFLAGS="'-ldflags=-s -w' -trimpath"]
  6:5 -race=true
release build build [.] open=true if=false
  3:5 TARGETOS=…
  3:14 RACE=…
  4:5 LEVEL=…
  5:5 GOAMD64=… [GOAMD64=${LEVEL:-v3}]
  5:26 CGO_ENABLED=0 [CGO_ENABLED=${CGO:-0}]
  5:48 GOFLAGS='-ldflags=-s -w' -trimpath [GOFLAGS="'-ldflags=-s -w' -trimpath"]
run  scratch
  11:5 GOMEMLIMIT=1GiB [GOMEMLIMIT=${MEM}]
  11:23 GOGC=50 [GOGC=${GOGC:-${OTHER-50}}]
  12:5 GOMAXPROCS=… [GOMAXPROCS ${PROCS}]
unread Dockerfile:8:1: FORM is no instruction of a Dockerfile
`},
		{"make that asks where go is, and a macro", "Makefile", `GO ?= $(shell command -v go)
define one
	go build -race ./$(1)
endef
all:
	$(GO) build -race .
`, `release build all [.] open=false if=false
  6:14 -race=true [-race]
unread Makefile:3:1: a build in a macro of make (define) is not read
`},
		{"programs of others, and builds that leave nothing", "Makefile", `all:
	git clone https://example.com/x && cd x && go build .
two:
	go build ./...
	go build -C hack/x -o x .
	cd hack/tools; go build -o bin/x example.com/a/b/x
	go build -o bin/x example.com/a/b/hack/x
	go build -o bin/x golang.org/x/tools/cmd/x
`, `check build two [./...] open=false if=false
check build two [.] open=false if=false
  5:11 -C=hack/x [-C hack/x]
  5:21 -o=x [-o x]
check build two [example.com/a/b/x] open=false if=false
  6:26 -o=bin/x [-o bin/x]
check build two [example.com/a/b/hack/x] open=false if=false
  7:11 -o=bin/x [-o bin/x]
release build two [golang.org/x/tools/cmd/x] open=false if=false
  8:11 -o=bin/x [-o bin/x]
`},
		{"a build that fills the cache", "Dockerfile", `FROM golang
RUN go build -o /a .
RUN go build -trimpath -o /a .
`, `release build  [.] open=false if=false
  3:14 -trimpath=true [-trimpath]
  3:24 -o=/a [-o /a]
`},
		{"other pipelines", ".circleci/config.yml", `jobs:
  release:
    environment: {CGO_ENABLED: "0"}
    steps:
      - run: go build -race .
      - run: {name: a test, command: "go build ."}
`, `release build release [.] open=false if=false
  3:32 CGO_ENABLED=0 [0]
  5:23 -race=true [-race]
check build a test [.] open=false if=false
  3:32 CGO_ENABLED=0 [0]
`},
		{"tasks", "Taskfile.yml", `tasks:
  release:
    env: {GOFLAGS: -trimpath}
    cmds:
      - go build {{.FLAGS}} .
      - cmd: go build -race .
  build: {cmds: [go build .]}
`, `release build release [.] open=true if=false
  3:20 GOFLAGS=-trimpath [-trimpath]
release build release [.] open=false if=false
  3:20 GOFLAGS=-trimpath [-trimpath]
  6:23 -race=true [-race]
check build build [.] open=false if=false
`},
		{"values that a template puts in, and files with more", "k.yaml", `containers:
- image: app
  env:
  - {name: GOGC, value: {{ .x }}}
  - {name: GOMEMLIMIT, value: ""}
  envFrom: [x]
`, `run  app
  4:25 GOGC=…
  5:31 GOMEMLIMIT=
`},
		{"an addition to a unit", "etc/app.service.d/limits.conf", "[Service]\nMemoryMax=1G\n", "run app \n  2:11 memory limit=1G\n"},
		{"a template", "chart/templates/d.yaml", "{{- if .x }}\ncontainers:\n{{ end }}\n", "unread chart/templates/d.yaml:1:1: a template that is no YAML before it is filled in\n"},
		{"broken YAML", "k.yaml", "containers:\n\t- x\n", "unread k.yaml:2:1: broken YAML: yaml: line 2: found character that cannot start any token\n"},
		{"YAML about something else", "k.yaml", "a: [\n", ""},
		{"a unit", "app.service", "[Unit]\nMemoryMax=1G\n[Service]\nEnvironment=\"GOGC=50\" \\\n  GOMAXPROCS=2\n#x=y\nMemoryMax=512M\nCPUQuota=150%\nExecStart=/bin/app -x\n",
			"run app /bin/app\n  4:13 GOGC=50 [\"GOGC=50\"]\n  5:3 GOMAXPROCS=2 [GOMAXPROCS=2]\n  7:11 memory limit=512M\n  8:10 CPU limit=150%\n"},
		{"code", "main.go", `//go:debug updatemaxprocs=0
package main

import (
	"runtime"
	"runtime/debug"

	_ "go.uber.org/automaxprocs"
)

func main() {
	runtime.GOMAXPROCS(runtime.NumCPU())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	debug.SetMemoryLimit(1 << 30)
}
`, `code
  8:2 go.uber.org/automaxprocs=_ [_ "go.uber.org/automaxprocs"]
code
  1:1 GODEBUG updatemaxprocs=0
code
  14:2 runtime/debug.SetMemoryLimit=1 << 30
code
  12:2 runtime.GOMAXPROCS=runtime.NumCPU()
`},
		{"go.mod", "go.mod", "module example.com/m\n\ngodebug containermaxprocs=1\n\ngo 1.24\n", "code\n  3:1 GODEBUG containermaxprocs=1\n"},
		{"broken go.mod", "go.mod", "module (\n", "unread go.mod:1:1: go.mod cannot be parsed: go.mod:2: syntax error (unterminated block started at go.mod:1:1)\n"},
		{"shell that is none", "x.sh", "go build $(\n", "unread x.sh:1:1: shell that cannot be parsed: 1:10: reached EOF without matching `$(` with `)`\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, toldOf(Read(c.file, []byte(c.text)))); diff != "" {
				t.Errorf("differs (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever a file holds, reading it ends, and what can be edited lies in the file.
func FuzzRead(f *testing.F) {
	names := []string{"Makefile", "Dockerfile", "x.sh", ".goreleaser.yml", ".github/workflows/x.yml", ".gitlab-ci.yml", "k.yaml", "x.service", "go.mod", "main.go", ".drone.yml", "Taskfile.yml"}
	for i := range names {
		f.Add(i, "X = $(X)\na: b\n\tgo build $(X) \\\n")
		f.Add(i, "FROM a\nRUN <<E\ngo build\nENV a=\"b \\\nCMD x")
		f.Add(i, "builds:\n  - &a {flags: [-race], <<: *a}\nenv: [a=b]\ncontainers: [*a]\n")
		f.Add(i, "jobs: {release: {steps: [{run: |\n  go build\n}]}}\n")
	}
	f.Fuzz(func(t *testing.T, kind int, src string) {
		if kind < 0 || kind >= len(names) {
			return
		}
		m := Read(names[kind], []byte(src))
		if m == nil {
			return
		}
		var all []Setting
		for _, b := range m.Builds {
			all = append(append(all, b.Env...), b.Flags...)
			if b.Insert.At > len(src) {
				t.Errorf("a flag is to stand behind the file")
			}
		}
		for _, p := range m.Processes {
			all = append(all, p.Env...)
		}
		for _, s := range all {
			if s.Start < 0 || s.End > len(src) || s.Start > s.End {
				t.Errorf("%s is at %d to %d of %d bytes", s.Name, s.Start, s.End, len(src))
			}
		}
	})
}
