package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/internal/model"
)

// TestMain is also the pawl that the servers of these tests start: it writes down
// how it was called, and answers from the files in the directory of PAWL_FAKE.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PAWL_FAKE"); dir != "" {
		os.Exit(fake(dir, os.Args[1:]))
	}
	os.Exit(m.Run())
}

func fake(dir string, args []string) int {
	verb := args[0]
	note := strings.Join(args, " ") + "\n"
	if data, err := os.ReadFile(args[len(args)-1]); err == nil && verb == "try" {
		note += string(data)
	}
	record(dir, "calls", note)
	if verb == "compare" { // until it is told to end
		term := make(chan os.Signal, 1)
		signal.Notify(term, syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "measuring")
		<-term
		record(dir, "calls", "ended in order\n")
		return 3
	}
	fmt.Fprintln(os.Stderr, "first\n\nsecond")
	record(dir, "turns", "+")
	defer record(dir, "turns", "-")
	out, _ := os.ReadFile(filepath.Join(dir, verb+".json"))
	os.Stdout.Write(out)
	var code int
	exit, _ := os.ReadFile(filepath.Join(dir, verb+".exit"))
	_, _ = fmt.Sscan(string(exit), &code)
	return code
}

func record(dir, name, text string) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		panic(err)
	}
}

// A scene is a server on a fake pawl, and a client of it.
type scene struct {
	dir    string
	server *Server
	client *mcp.ClientSession

	mu   sync.Mutex
	said []string
}

func newScene(t *testing.T, c Config) *scene {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{dir: t.TempDir()}
	c.Pawl, c.Dir, c.Env = self, t.TempDir(), append(os.Environ(), "PAWL_FAKE="+s.dir)
	if c.Sandbox == "" {
		c.Sandbox = "on"
	}
	if c.Budget == 0 {
		c.Budget = time.Hour
	}
	s.server = New(c)
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = s.server.Serve(ctx, ours); close(ended) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.said = append(s.said, r.Params.Message)
		},
	})
	s.client, err = client.Connect(ctx, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.client.Close(); stop(); <-ended })
	return s
}

// answers sets what a verb prints, and with which code it ends.
func (s *scene) answers(t *testing.T, verb string, value any, code int) {
	t.Helper()
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.dir, verb+".json"), string(data)+"\n")
	write(t, filepath.Join(s.dir, verb+".exit"), fmt.Sprint(code))
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// noted returns what the fake pawl wrote down.
func (s *scene) noted(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// invoke calls a tool and returns its answer, or its error's text.
func invoke[Out any](t *testing.T, s *scene, tool string, in any) (out Out, failed string) {
	t.Helper()
	p := &mcp.CallToolParams{Name: tool, Arguments: in}
	p.SetProgressToken(tool)
	res, err := s.client.CallTool(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if res.IsError {
		return out, res.Content[0].(*mcp.TextContent).Text
	}
	data, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, ""
}

// No tool lets an agent allow what the guard refuses, or leave the sandbox.
func TestTools(t *testing.T) {
	s := newScene(t, Config{})
	list, err := s.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		in, err := json.Marshal(tool.InputSchema)
		if err != nil || strings.Contains(string(in), "allow") || strings.Contains(string(in), "sandbox") || tool.OutputSchema == nil {
			t.Errorf("%s: %v %s", tool.Name, err, in)
		}
	}
	want := []string{"compare", "diagnose", "evidence", "explain", "find", "log", "more", "plan", "try"}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
}

var change = model.Change{Title: "my.patch", Targets: []model.Target{{Func: "m.F"}}}

var refuted = model.Run{ID: "r1", Verb: "try", Attempts: []model.Attempt{{
	Change: change, Outcome: model.RolledBack, Reason: "tests: TestF fails",
	Checks:     []model.Check{{Name: "vet", OK: true}, {Name: "tests", Detail: "--- FAIL: TestF"}, {Name: "race", Skipped: "no time"}},
	Driven:     []model.Driven{{Func: "m.F", Differences: []model.Difference{{Where: "result 0", Base: "1", Candidate: "2", Input: "3"}}}},
	Suspicions: []model.Suspicion{{Kind: model.SuspectDirective, Detail: "go:linkname"}},
	Counts:     []model.Exact{{Metric: "allocs/op", Before: 2, After: 1}, {Metric: "B/op", Before: 2, After: 2}},
	Verdicts:   []model.Verdict{{Benchmark: model.Benchmark{Name: "BenchmarkF"}, Metric: "cpu/op", Answer: model.Faster, Change: -0.1, Lo: -0.2, Hi: -0.05}},
}}}

func TestTry(t *testing.T) {
	s := newScene(t, Config{Allow: []string{"errortext", "nil"}, Budget: time.Minute})
	s.answers(t, "try", refuted, 1)
	out, failed := invoke[tryOut](t, s, "try", map[string]any{"diff": "--- a\n+++ b\n", "bench": "F$", "budget": "1h"})
	want := attempt{
		Change: "my.patch", Outcome: "rolled back", Reason: "tests: TestF fails", Failed: []string{"tests: --- FAIL: TestF"},
		Differs: []string{"m.F, result 0: 1 before, 2 now, for 3"}, Consent: []string{"directive: go:linkname"},
		Counts: []string{": allocs/op 2 → 1"}, Speed: []string{"F: faster, cpu −10.0 % [−20.0, −5.0] %"},
	}
	if d := cmp.Diff(want, out.attempt); d != "" || failed != "" || out.Run != "r1" || !strings.Contains(out.Next, "refuted") {
		t.Errorf("%s %s %+v", failed, d, out)
	}
	lines := strings.Split(s.noted(t, "calls"), "\n")
	args := strings.Fields(lines[0])
	if d := cmp.Diff([]string{"try", "-json", "-budget=1m0s", "-bench=F$", "-allow=errortext,nil", "-sandbox=on", "--"}, args[:len(args)-1]); d != "" {
		t.Error(d)
	}
	if file := args[len(args)-1]; lines[1] != "--- a" || lines[2] != "+++ b" {
		t.Errorf("the patch: %q", lines)
	} else if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", file, err)
	}
	for what, in := range map[string]map[string]any{
		"either as diff or as ref": {"diff": "x", "ref": "y"}, "no git ref": {"ref": "--exec=x"}, "no time": {"ref": "x", "budget": "soon"},
	} {
		if _, failed := invoke[tryOut](t, s, "try", in); !strings.Contains(failed, what) {
			t.Errorf("%v: %s", in, failed)
		}
	}
	s.answers(t, "try", refuted, 3)
	if _, failed := invoke[tryOut](t, s, "try", map[string]any{"ref": "x"}); !strings.Contains(failed, "exit code 3\nfirst\nsecond") {
		t.Errorf("work that could not be done: %s", failed)
	}
}

// Where the sandbox is off, that is by a person's word.
func TestWithoutSandbox(t *testing.T) {
	s := newScene(t, Config{Sandbox: "off"})
	s.answers(t, "try", refuted, 4)
	if _, failed := invoke[tryOut](t, s, "try", map[string]any{"ref": "x"}); failed != "" || strings.Contains(s.noted(t, "calls"), "sandbox") {
		t.Error(failed, s.noted(t, "calls"))
	}
}

func TestPlan(t *testing.T) {
	s := newScene(t, Config{})
	bench := model.Benchmark{Name: "BenchmarkF"}
	targets := []model.Target{
		{ID: "T1", Benchmark: bench, At: model.Pos{File: "f.go", Line: 3}, Func: "m.F", Ceiling: 0.2, Leads: []model.Lead{{Try: "look", Rule: "hoist"}}},
		{ID: "T2", Benchmark: bench, At: model.Pos{File: "f.go", Line: 9}, Func: "m.F", Ceiling: 0.5, Notes: []model.Note{{Message: "x escapes"}}},
		{ID: "T3", Benchmark: bench, At: model.Pos{File: "f.go", Line: 9}, Func: "m.F", Ceiling: 0.1},
	}
	run := &model.Run{ID: "r2", Targets: targets, Prospects: []model.Prospect{{Target: targets[1], Title: "use a field"}}}
	s.answers(t, "find", model.Findings{Plan: run}, 1)
	out, failed := invoke[planOut](t, s, "plan", map[string]any{"packages": []string{"./..."}, "limit": 1})
	if failed != "" || out.Left != 1 || len(out.Targets) != 1 || out.Targets[0].ID != "T2" || out.Targets[0].Idea != "use a field" {
		t.Errorf("%s %+v", failed, out)
	}
	if got := s.noted(t, "calls"); got != "find -json -budget=2m0s -bench=. -sandbox=on -- ./...\n" {
		t.Errorf("called as %s", got)
	}
	until(t, func() bool { // the client has its progress beside the answer
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Equal(s.said, []string{"first", "second"})
	})

	s.answers(t, "log", struct {
		model.Run
		Runs []model.Run `json:"runs"`
	}{*run, []model.Run{refuted}}, 0)
	more, failed := invoke[explainOut](t, s, "explain", map[string]any{"run": "r2", "target": "T2"})
	if failed != "" || more.Target == nil || len(more.Notes) != 1 || len(more.Tried) != 1 || more.Tried[0].Reason != "tests: TestF fails" {
		t.Errorf("%s %+v", failed, more)
	}
	for what, in := range map[string]map[string]any{"no id of a run": {"run": "../x", "target": "T1"}, "no target": {"run": "r2", "target": "T9"}, "name a target": {}} {
		if _, failed := invoke[explainOut](t, s, "explain", in); !strings.Contains(failed, what) {
			t.Errorf("%v: %s", in, failed)
		}
	}
}

// The client of a call that is cancelled does not wait, and pawl ends in order.
func TestCancel(t *testing.T) {
	s := newScene(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: "compare", Arguments: map[string]any{"base": "a", "candidate": "b"}})
		ended <- err
	}()
	until(t, func() bool { return strings.Contains(s.noted(t, "calls"), "compare") })
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	until(t, func() bool { return strings.Contains(s.noted(t, "calls"), "ended in order") })
	s.answers(t, "try", refuted, 1)
	if _, failed := invoke[tryOut](t, s, "try", map[string]any{"ref": "x"}); failed != "" { // its turn has come
		t.Error(failed)
	}
}

func until(t *testing.T, ok func() bool) {
	t.Helper()
	for !ok() {
		if t.Context().Err() != nil {
			t.Fatal("it did not come")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Two calls never measure at the same time.
func TestTurns(t *testing.T) {
	s := newScene(t, Config{})
	s.answers(t, "try", refuted, 1)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			_, _ = s.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "try", Arguments: map[string]any{"ref": "x"}})
		})
	}
	wg.Wait()
	if got := s.noted(t, "turns"); got != strings.Repeat("+-", 6) {
		t.Errorf("turns %s", got)
	}
}

func TestMore(t *testing.T) {
	s := newScene(t, Config{})
	s.answers(t, "log", refuted, 0)
	list, failed := invoke[logOut](t, s, "log", map[string]any{})
	if failed != "" {
		t.Fatal(failed)
	}
	out, failed := invoke[moreOut](t, s, "more", map[string]any{"output": list.Output, "from": 2, "lines": 1})
	if failed != "" || strings.TrimSpace(out.Text) != `"schema": 0,` || out.Left == 0 {
		t.Errorf("%s %+v", failed, out)
	}
	read := func(uri string) (*mcp.ReadResourceResult, error) {
		return s.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	}
	for _, uri := range []string{"pawl://output/" + list.Output, "pawl://run/r1"} {
		if res, err := read(uri); err != nil || !strings.Contains(res.Contents[0].Text, "TestF fails") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	for _, uri := range []string{"pawl://output/99", "pawl://run/-C", "pawl://run/a.b", "pawl://else/1"} {
		if _, err := read(uri); err == nil {
			t.Errorf("%s was read", uri)
		}
	}
	for range latest {
		s.server.outputs.keep([]byte("{}"))
	}
	if _, failed := invoke[moreOut](t, s, "more", map[string]any{"output": list.Output}); !strings.Contains(failed, "there is no output") {
		t.Errorf("an old output: %s", failed)
	}
	if n := len(s.server.outputs.kept); n != latest {
		t.Errorf("%d outputs are kept", n)
	}
}

func TestNear(t *testing.T) {
	for target, want := range map[string]bool{
		"cpu.pprof": true, "a/b/mem.prof": true, "http://localhost:6060/debug/pprof/heap": true, "http://127.0.0.1:1/x": true, "https://[::1]/x": true,
		"./cmd/server": false, "../cpu.pprof": false, "/etc/x.pprof": false, "http://10.0.0.1/x": false, "http://example.com/x.pprof": false,
		"-pid=1": false, "server.test": false, "": false, "file:///x.pprof": false, "http://localhost.example.com/": false,
	} {
		if got := near(target) == nil; got != want {
			t.Errorf("%s: %v", target, got)
		}
	}
}

func TestConsent(t *testing.T) {
	module, home := t.TempDir(), t.TempDir()
	file := filepath.Join(home, "agents.json")
	if kinds, err := ReadConsent(file, module); err != nil || kinds != nil {
		t.Errorf("no file: %v, %v", kinds, err)
	}
	write(t, file, fmt.Sprintf(`{"allow": {%q: ["nil"], "/else": ["api"]}}`, module))
	if kinds, err := ReadConsent(file, module); err != nil || !slices.Equal(kinds, []string{"nil"}) {
		t.Errorf("%v, %v", kinds, err)
	}
	write(t, file, "allow: all")
	if _, err := ReadConsent(file, module); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("broken: %v", err)
	}
	inside := filepath.Join(module, "agents.json")
	write(t, inside, `{}`)
	link := filepath.Join(home, "link.json")
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{inside, link} {
		if _, err := ReadConsent(f, module); err == nil || !strings.Contains(err.Error(), "where an agent can write") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
