package integrations

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Without an input, the base goes by the event.
func TestGateScriptEvents(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.repository(3)
	before := b.git("work", "rev-parse", "main~2")
	b.git("work", "switch", "-q", "main")
	push := func(ref, before string) map[string]string {
		return map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/" + ref, "PAWL_DEFAULT_BRANCH": "main", "PAWL_BEFORE": before}
	}
	for name, c := range map[string]struct {
		env  map[string]string
		base string
	}{
		"push":          {push("main", before), before},
		"merge queue":   {map[string]string{"GITHUB_EVENT_NAME": "merge_group", "PAWL_MERGE_GROUP": before, "PAWL_DEFAULT_BRANCH": "main"}, before},
		"other branch":  {push("topic", before), "origin/main"},
		"first push":    {push("main", strings.Repeat("0", 40)), "origin/main"},
		"forced push":   {push("main", strings.Repeat("a", 40)), "HEAD~1"},
		"input decides": {map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main", "PAWL_DEFAULT_BRANCH": "main", "PAWL_BEFORE": before, "PAWL_BASE": "v1.0"}, "v1.0"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(filepath.Join(b.dir, "ci")); err != nil {
				t.Fatal(err)
			}
			b.git("", "clone", "-q", "--depth=1", "-b", "main", "file://"+filepath.Join(b.dir, "remote.git"), "ci")
			c.env["STUB_FIRST"], c.env["PAWL_ARGS"] = "clean: 1 of 1", "-sandbox -v"
			if code, said := b.run("ci", c.env, "sh", script(t, "gate.sh"), "run"); code != 0 {
				t.Fatalf("exit code %d\n%s", code, said)
			}
			if args := b.read("args"); !strings.Contains(args, "\n-base\n"+c.base+"\n-sandbox\n-v\n") {
				t.Errorf("pawl was called with\n%s\nwant -base %s, -sandbox and -v", args, c.base)
			}
			b.git("ci", "merge-base", c.base, "HEAD")
		})
	}
}

// A Go that is there is taken; one that is too old, or not the one wanted, is not.
func TestGateScriptSetup(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("mod", "work")
	b.write("mod/go.mod", "module m\n")
	b.write("work/go.work", "go 1.26\n")
	for _, c := range []struct {
		have, dir string
		env       map[string]string
		setup     string
	}{
		{"go1.26.8", "mod", nil, "false"}, {"go1.21", "mod", nil, "false"}, {"go1.20.14", "mod", nil, "true"}, {"go1.9", "mod", nil, "true"},
		{"", "mod", nil, "true"}, {"go1.26.8", "mod", map[string]string{"PAWL_GO_VERSION": "1.27"}, "true"},
		{"go1.26.8", "mod", map[string]string{"GOTOOLCHAIN": "local"}, "true"}, {"go1.26.8", "work", nil, "false"},
	} {
		b.write("bin/go", "#!/bin/sh\necho "+c.have+"\n")
		if err := os.Chmod(filepath.Join(b.dir, "bin", "go"), 0o755); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{"PAWL_DIRECTORY": c.dir}
		for k, v := range c.env {
			env[k] = v
		}
		if code, said := b.run("", env, "sh", script(t, "gate.sh"), "setup"); code != 0 {
			t.Fatalf("exit code %d\n%s", code, said)
		}
		want := fmt.Sprintf("file=%s/go.%s\nsetup=%s\n", c.dir, c.dir, c.setup)
		if got := b.read("output"); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}

// tools skips a test where one of the programs is not there.
func tools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// The binary of a release is taken when its checksum is the release's, and
// nothing takes its place when it is not.
func TestGateScriptInstall(t *testing.T) {
	t.Parallel()
	tools(t, "curl", "tar")
	b := newBed(t)
	var archive bytes.Buffer
	zip := gzip.NewWriter(&archive)
	tw := tar.NewWriter(zip)
	const program = "#!/bin/sh\necho pawl v0.3.0\n"
	if err := tw.WriteHeader(&tar.Header{Name: "pawl", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(tw, program)
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	_ = zip.Close()
	name := fmt.Sprintf("pawl_0.3.0_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	sum := fmt.Sprintf("%x", sha256.Sum256(archive.Bytes()))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v0.3.0/checksums.txt":
			fmt.Fprintf(w, "%s  other.tar.gz\n%s  %s\n", strings.Repeat("0", 64), sum, name)
		case "/v0.3.0/" + name:
			_, _ = w.Write(archive.Bytes())
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	env := map[string]string{"PAWL_VERSION": "v0.3.0", "PAWL_RELEASES": server.URL, "GITHUB_PATH": filepath.Join(b.dir, "path")}
	code, said := b.run("", env, "sh", script(t, "gate.sh"), "install")
	if code != 0 || !strings.Contains(said, "pawl v0.3.0") || b.read("path") == "" {
		t.Errorf("exit code %d\n%s", code, said)
	}
	sum = strings.Repeat("1", 64)
	code, said = b.run("", env, "sh", script(t, "gate.sh"), "install")
	if summary := b.read("summary"); code != 3 || !strings.Contains(said, "has not the checksum") || !strings.Contains(summary, "could not be installed") || b.read("path") != "" {
		t.Errorf("another checksum: exit code %d\n%s\nsummary %q", code, said, summary)
	}
	b.write("bin/go", "#!/bin/sh\necho \"$@\" >>$STUB_ARGS\nexit 1\n")
	if err := os.Chmod(filepath.Join(b.dir, "bin", "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	env["PAWL_VERSION"] = "v0.4.0"
	code, said = b.run("", env, "sh", script(t, "gate.sh"), "install")
	if args := b.read("args"); code != 3 || !strings.Contains(args, "install github.com/pawl-dev/pawl/cmd/pawl@v0.4.0") {
		t.Errorf("no binary: exit code %d, go %s\n%s", code, args, said)
	}
}

// The report is one comment of a pull request, which is updated.
func TestGateScriptComment(t *testing.T) {
	t.Parallel()
	tools(t, "curl", "jq")
	b := newBed(t)
	comments := []map[string]any{}
	for i := range 100 {
		comments = append(comments, map[string]any{"id": i + 1, "body": "of somebody"})
	}
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			status = http.StatusUnauthorized
		}
		w.WriteHeader(status)
		if status != http.StatusOK {
			return
		}
		var sent map[string]any
		if r.Method != http.MethodGet {
			_ = json.NewDecoder(r.Body).Decode(&sent)
		}
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/repos/a/b/issues/7/comments":
			comments = append(comments, map[string]any{"id": 1000 + len(comments), "body": sent["body"]})
		case r.Method == http.MethodPatch && strings.HasPrefix(r.URL.Path, "/repos/a/b/issues/comments/11"):
			comments[len(comments)-1]["body"] = sent["body"]
		case r.URL.Query().Get("page") == "1":
			_ = json.NewEncoder(w).Encode(comments[:100])
		default:
			_ = json.NewEncoder(w).Encode(comments[100:])
		}
	}))
	defer server.Close()
	env := map[string]string{"PAWL_PULL": "7", "PAWL_NAME": "pawl-gate", "PAWL_TOKEN": "secret", "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "a/b"}
	b.mkdir("temp/pawl")
	for _, text := range []string{"**clean: \"1\" of 1**\n\n`$(id)`\n", "**regressed: 1**\n" + strings.Repeat("x", 70_000)} {
		b.write("temp/pawl/gate.md", text)
		if code, said := b.run("", env, "sh", script(t, "gate.sh"), "comment"); code != 0 {
			t.Fatalf("exit code %d\n%s", code, said)
		}
		want := "<!-- pawl gate: pawl-gate -->\n" + text[:min(len(text), 60_000)]
		if got := comments[len(comments)-1]["body"]; len(comments) != 101 || got != want {
			t.Errorf("%d comments, the last %.80q, want %.80q", len(comments), got, want)
		}
	}
	status = http.StatusForbidden
	if code, said := b.run("", env, "sh", script(t, "gate.sh"), "comment"); code != 0 || !strings.Contains(said, "::warning") {
		t.Errorf("a token that may not write: exit code %d\n%s", code, said)
	}
}
