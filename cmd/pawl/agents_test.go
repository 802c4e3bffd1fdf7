package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// must calls in Seal: as they are, and made only where they are needed.
const (
	checks = `	must(kind >= KindData && kind <= KindClose, "stream %d: unknown kind %d", stream, kind)
	must(len(payload) <= MaxPayload, "stream %d: payload of %d bytes", stream, len(payload))
`
	lazyChecks = `	if kind < KindData || kind > KindClose {
		must(false, "stream %d: unknown kind %d", stream, kind)
	}
	if len(payload) > MaxPayload {
		must(false, "stream %d: payload of %d bytes", stream, len(payload))
	}
`
)

// An agent plans, tries what is wrong, and then what is right: the session that
// docs/agents.md shows. UPDATE=1 writes it there.
func TestAgents(t *testing.T) {
	long(t, "measures three times")
	dir := filepath.Join(t.TempDir(), "wire")
	if err := os.CopyFS(dir, os.DirFS("../../examples/wire")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "wire"}} {
		git(t, dir, nil, args...)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	server := exec.Command(buildPawl(t, runtime.Version()), "mcp", "-C", dir)
	server.Stderr = os.Stderr
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()

	a := agent{t: t, session: session}
	plan := a.call("plan", map[string]any{"bench": "Send$", "budget": "2m", "limit": 3}, "targets")
	if !strings.Contains(fmt.Sprint(plan), "sender.go") {
		t.Errorf("plan %v", plan)
	}
	wrong := a.try(dir, "")
	if wrong["outcome"] != "rolled back" || !strings.Contains(fmt.Sprint(wrong["reason"]), "TestSealChecksItsCaller") {
		t.Errorf("without the checks: %v", wrong)
	}
	right := a.try(dir, lazyChecks)
	if right["outcome"] != "kept" {
		t.Errorf("with checks that are made where needed: %v", right)
	}
	if !t.Failed() && os.Getenv("UPDATE") != "" {
		a.write("../../docs/agents.md")
	}
}

// An agent calls tools and keeps what was said.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
	said    strings.Builder
}

// call calls a tool and returns the answer. Its fields that are named are kept.
func (a *agent) call(tool string, in map[string]any, fields ...string) map[string]any {
	a.t.Helper()
	res, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		a.t.Fatal(err)
	}
	if res.IsError {
		text := res.Content[0].(*sdk.TextContent).Text
		if strings.Contains(text, "sandbox") {
			a.t.Skip("the system allows no sandbox: ", text)
		}
		a.t.Fatalf("%s: %s", tool, text)
	}
	out := res.StructuredContent.(map[string]any)
	shown := make(map[string]any)
	for _, f := range fields {
		if v, ok := out[f]; ok {
			shown[f] = v
		}
	}
	fmt.Fprintf(&a.said, "→ %s\n", tool)
	for _, name := range slices.Sorted(maps.Keys(in)) {
		fmt.Fprintf(&a.said, "%s: %v\n", name, in[name])
	}
	a.said.WriteString("←\n")
	enc := json.NewEncoder(&a.said)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(shown); err != nil {
		a.t.Fatal(err)
	}
	a.said.WriteString("\n")
	return out
}

// try tries a change of the checks in Seal.
func (a *agent) try(dir, instead string) map[string]any {
	a.t.Helper()
	file := filepath.Join(dir, "sender.go")
	old, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(old), checks) {
		a.t.Fatal(err, "the checks are not there")
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(old), checks, instead, 1)), 0o600); err != nil {
		a.t.Fatal(err)
	}
	diff, err := exec.Command("git", "-C", dir, "diff", "-U1").Output()
	if err == nil {
		err = os.WriteFile(file, old, 0o600)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return a.call("try", map[string]any{"diff": string(diff), "bench": "Send$"}, "outcome", "reason", "failed", "counts", "speed", "next")
}

// write puts the session into its page.
func (a *agent) write(page string) {
	data, err := os.ReadFile(page)
	if err != nil {
		a.t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(data), "<!-- session -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- /session -->")
	if !ok1 || !ok2 {
		a.t.Fatalf("%s has no place for the session", page)
	}
	text := before + "<!-- session -->\n```\n" + strings.TrimSpace(a.said.String()) + "\n```\n<!-- /session -->" + after
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}
