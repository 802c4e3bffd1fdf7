package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notices is what is shipped beside the binaries: licences ask for their text.
const notices = "../THIRD_PARTY_NOTICES"

// The notices are those of what is linked on any system that a release is for. UPDATE=1 writes them.
func TestThirdPartyNotices(t *testing.T) {
	modules := map[string]map[string]bool{} // the licence files of each
	for _, target := range targets(t) {
		goos, goarch, _ := strings.Cut(target, "_")
		linked(t, goos, goarch, modules)
	}
	want := write(t, modules)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(notices, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(notices)
	if err != nil || !bytes.Equal(have, want) {
		t.Errorf("THIRD_PARTY_NOTICES is not what go.mod asks for (%v): UPDATE=1 go test ./internal -run TestThirdPartyNotices", err)
	}
}

// targets returns what the release is built for.
func targets(t *testing.T) []string {
	t.Helper()
	config, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`targets: \[(.*)\]`).FindSubmatch(config)
	if m == nil {
		t.Fatal("no targets in .goreleaser.yaml")
	}
	return strings.Split(string(m[1]), ", ")
}

// linked adds the modules whose packages pawl links, with the licence files from each package's directory up to the module's.
func linked(t *testing.T, goos, goarch string, modules map[string]map[string]bool) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", "../cmd/pawl")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		name := p.Module.Path + " " + p.Module.Version
		if modules[name] == nil {
			modules[name] = map[string]bool{}
		}
		for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
			for _, file := range licences(t, dir) {
				modules[name][file] = true
			}
		}
		if len(modules[name]) == 0 {
			t.Errorf("%s has no licence", name)
		}
	}
}

// licences returns the files of a directory that hold a licence or what it wants to be repeated.
func licences(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.(txt|md))?$`)
	var files []string
	for _, e := range entries {
		if wanted.MatchString(e.Name()) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// write returns the notices: each text once, below the names of what has it. Go's own is that of the standard library, whatever
// the release that builds.
func write(t *testing.T, modules map[string]map[string]bool) []byte {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules["the Go standard library and runtime"] = map[string]bool{filepath.Join(strings.TrimSpace(string(root)), "LICENSE"): true}
	names := map[string][]string{} // by text
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		for _, file := range slices.Sorted(maps.Keys(modules[module])) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			key := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
			names[key] = append(names[key], module)
		}
	}
	var b bytes.Buffer
	b.WriteString("The pawl binaries contain code of others, under these terms.\n")
	texts := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return strings.Compare(names[a][0]+a, names[b][0]+b) })
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), strings.Join(names[text], "\n"), text)
	}
	return b.Bytes()
}
