// Package manifest reads the files that say how a Go program is built and run.
// These are go.mod, makefiles, Dockerfiles, goreleaser configurations, CI files,
// shell scripts, Kubernetes manifests, Helm values and systemd units. It also
// reads the build information in a binary.
//
// Each format is parsed, never searched: YAML by its nodes, and shell by its
// syntax, also where it stands in a makefile, a Dockerfile or a CI file. A text
// that comes out of a file changed (unquoted, without indentation, with its
// variables filled in) knows for each byte where it came from. So a setting has
// its line, and the bytes that an edit replaces.
//
// What only the build itself can know, such as a variable that nobody sets in
// the file, stands as “…” in a value. Such a value is not to be judged.
package manifest

import (
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// unknown is what stands in a text for what only the build knows.
const unknown = "…"

// A Setting is a name with its value, and where that is said.
type Setting struct {
	Name, Value string
	At          model.Pos
	// Start and End are the bytes of the file that say it, name and value; both are
	// zero where they cannot be told from others.
	Start, End int
	// Open says that the value is not all that the build will see: a part is filled
	// in there, or a condition decides.
	Open bool
}

// A Purpose is what a build is for, as far as its names say.
type Purpose string

const (
	Release Purpose = "release"
	Debug   Purpose = "debug"
	Check   Purpose = "check" // by CI, or by a developer
)

// An Insert is where a further flag can stand, and what around it; At is zero where
// there is no such place.
type Insert struct {
	At            int
	Before, After string
}

// A Build is one command that makes a binary.
type Build struct {
	At       model.Pos
	Name     string // of the target, the stage, the job or the build
	Purpose  Purpose
	Unsaid   bool      // its names do not say what it is for
	Flags    []Setting // by their names with one dash
	Env      []Setting
	Packages []string
	Insert   Insert
	Open     bool   // flags may come from where this file does not say
	If       bool   // it runs only under a condition
	Image    string // it runs in, where that is said
}

// A Process is a program that is to run, and in what.
type Process struct {
	At     model.Pos
	Name   string
	Image  string
	Start  string // the command, where that is said
	Builds bool   // the file builds it, too
	Env    []Setting
	Open   bool      // variables come from other files, too
	Memory *Setting  // the limit
	CPU    *Setting  // the limit
	Nodes  []Setting // labels of the machines that it may run on
}

// A Manifest is what one file says.
type Manifest struct {
	File      string
	Kind      string
	Text      []byte
	Builds    []Build
	Processes []Process
	GoLine    *Setting  // of go.mod
	Module    string    // its path, of go.mod
	Code      []Setting // what Go code sets by itself
	Makes     bool      // it runs make
	Unread    []model.Warning
}

// A reader reads one kind of file.
type reader struct {
	kind  string
	takes func(name string) bool
	read  func(f *file)
}

// readers are all kinds, the more special ones first.
func readers() []reader {
	return []reader{
		{"go.mod", func(n string) bool { return path.Base(n) == "go.mod" }, (*file).gomod},
		{"Go code", func(n string) bool { return path.Ext(n) == ".go" && !strings.HasSuffix(n, "_test.go") }, (*file).code},
		{"makefile", isMakefile, (*file).makefile},
		{"Dockerfile", isDockerfile, (*file).dockerfile},
		{"shell script", func(n string) bool { return path.Ext(n) == ".sh" || path.Ext(n) == ".bash" }, (*file).shellScript},
		{"systemd unit", isUnit, (*file).unit},
		{"goreleaser", func(n string) bool { return isYAML(n) && strings.Contains(path.Base(n), "goreleaser") }, (*file).goreleaser},
		{"ko", func(n string) bool { return isYAML(n) && strings.HasPrefix(path.Base(n), ".ko.") }, (*file).goreleaser},
		{"GitHub workflow", func(n string) bool { return isYAML(n) && strings.Contains("/"+n, "/.github/workflows/") }, (*file).workflow},
		{"CI pipeline", isPipeline, (*file).pipeline},
		{"tasks", isTasks, (*file).pipeline},
		{"deployment", isYAML, (*file).deployment},
	}
}

// Kind returns what kind of file a slashed name stands for, or "".
func Kind(name string) string {
	for _, r := range readers() {
		if r.takes(name) {
			return r.kind
		}
	}
	return ""
}

// Read reads a file. What cannot be read of it is named in Unread, and the rest
// goes on; it is nil where nothing in the file is about builds or runs.
func Read(name string, data []byte) *Manifest {
	for _, r := range readers() {
		if !r.takes(name) {
			continue
		}
		f := &file{Manifest: Manifest{File: name, Kind: r.kind, Text: data}}
		r.read(f)
		if len(f.Builds)+len(f.Processes)+len(f.Code)+len(f.Unread) == 0 && f.GoLine == nil {
			return nil
		}
		return &f.Manifest
	}
	return nil
}

// A file is a manifest that is being read.
type file struct {
	Manifest
	cloned bool  // what stands here was fetched by git, so that what is built is of others
	starts []int // of the lines, once somebody asked
}

// at returns the place of a byte.
func (f *file) at(offset int) model.Pos {
	offset = min(max(offset, 0), len(f.Text))
	line, there := slices.BinarySearch(f.lines(), offset)
	if there {
		line++
	}
	return model.Pos{File: f.File, Line: line, Col: offset - f.lines()[line-1] + 1}
}

func (f *file) lines() []int {
	if f.starts == nil {
		f.starts = []int{0}
		for i, c := range f.Text {
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	return f.starts
}

// cannot notes what could not be read.
func (f *file) cannot(offset int, what, cause, try string) {
	f.Unread = append(f.Unread, model.Warning{Seen: f.at(offset).String() + ": " + what, Cause: cause, Try: try})
}

// Find returns the last setting of a name, which is the one that counts.
func Find(all []Setting, name string) *Setting {
	for i, s := range slices.Backward(all) {
		if s.Name == name {
			return &all[i]
		}
	}
	return nil
}

// Flag returns a flag of the build, as given or by GOFLAGS.
func (b *Build) Flag(name string) *Setting {
	if s := Find(b.Flags, name); s != nil {
		return s
	}
	goflags := Find(b.Env, "GOFLAGS")
	if goflags == nil {
		return nil
	}
	for _, word := range goFlags(goflags.Value) {
		flag, value, valued := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if "-"+flag != name {
			continue
		}
		if !valued {
			value = "true"
		}
		return &Setting{Name: name, Value: value, At: goflags.At, Open: goflags.Open}
	}
	return nil
}

// goFlags splits the value of GOFLAGS as the go command does: by white space, where
// an element that begins with a quote goes on to the next one.
func goFlags(value string) []string {
	var out []string
	for value = strings.TrimSpace(value); value != ""; value = strings.TrimSpace(value) {
		if quote := value[0]; quote == '\'' || quote == '"' {
			var word string
			word, value, _ = strings.Cut(value[1:], string(quote))
			out = append(out, word)
			continue
		}
		end := strings.IndexAny(value, " \t\r\n")
		if end < 0 {
			end = len(value)
		}
		out, value = append(out, value[:end]), value[end:]
	}
	return out
}

// purpose tells from names what a build is for; otherwise says what it is for
// where they say nothing.
func purpose(otherwise Purpose, names ...string) Purpose {
	for _, name := range names {
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !(r >= 'a' && r <= 'z') })
		switch {
		case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(debugging, w) }):
			return Debug
		case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(checking, w) }):
			return Check
		case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(releasing, w) }):
			return Release
		}
	}
	return otherwise
}

var (
	debugging = strings.Fields("debug debugging dbg dlv delve race sanitize asan msan profile profiling instrumented coverage cover")
	checking  = strings.Fields("test tests testing testdata e2e integration bench benchmark fuzz fuzzing lint check ci dev devel development develop local example examples demo kind " +
		"minikube tilt devcontainer mock mocks conformance codegen tool tools gitpod hack verify jepsen smoke functional doc docs fixtures snapshot " +
		"validate validation verification poc design designs proposal proposals sample samples tutorial tutorials playground quickstart snippet snippets website")
	releasing = strings.Fields("release releases prod production dist publish")
)

// parsed turns an error of a parser into what is shown of it: one line.
func parsed(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
