package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Config says what is served, and how the verbs run.
type Config struct {
	Pawl    string        // the program
	Dir     string        // of the module; each verb runs there
	Env     []string      // of the verbs
	Version string        // of pawl
	Sandbox string        // "on", "try" or "off", as for the flag of the verbs
	Budget  time.Duration // the most that one call may ask for
	Allow   []string      // kinds that the user's own file allows
}

// A Server has the tools and the outputs of their latest calls.
type Server struct {
	Config
	turn    chan struct{} // holds one token: who takes it may run code
	outputs outputs
	calls   sync.WaitGroup // under way
}

// New returns a server for one module.
func New(c Config) *Server { return &Server{Config: c, turn: make(chan struct{}, 1)} }

// Serve answers on the transport until its client leaves or ctx ends. Then calls
// under way end in order first.
func (s *Server) Serve(ctx context.Context, t mcp.Transport) error {
	defer s.calls.Wait()
	return s.server(ctx).Run(ctx, t)
}

const instructions = `pawl proves or refutes performance changes of the Go module it was started in.
Work like this: plan shows what costs and why. Write one small change for one target. Hand it to try as a diff or a branch.
Try checks that behaviour is the same and measures: "kept" is proven, "rolled back" says why not, "undecided" says what is missing.
A refused change is not to be worked around; change the idea. Read the reason first. The user's files are never changed: apply what was kept yourself.`

func (s *Server) server(served context.Context) *mcp.Server {
	srv := mcp.NewServer(&mcp.Implementation{Name: "pawl", Title: "pawl: Go performance changes, proven", Version: s.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	add(served, s, srv, "plan", "Measure benchmarks and report what costs most, why, and the most that can be gained there. Takes a minute or more.", s.plan)
	add(served, s, srv, "explain", "Explain one target of a plan (run and target), or a rule of pawl by its name or id.", s.explain)
	add(served, s, srv, "find", "Report what pawl's rules find in the source. Runs no code of the module.", s.find)
	add(served, s, srv, "try", "Prove or refute one change: a unified diff relative to the top of the repository, or a git ref. Takes a minute or more.", s.try)
	add(served, s, srv, "compare", "Compare two versions by their benchmarks: is the second slower, or faster?", s.compare)
	add(served, s, srv, "evidence", "Measure on this machine what rules claim.", s.evidence)
	add(served, s, srv, "diagnose", "Report what the Go runtime does on a program's behalf, from pprof files of the module's directory or a loopback URL.", s.diagnose)
	add(served, s, srv, "log", "List earlier runs, or show what one of them tried, kept and refuted, and why.", s.log)
	add(served, s, srv, "more", "Show more of the output of an earlier call, by lines.", s.more)
	for name, title := range map[string]string{"output": "the whole output of a call, as JSON", "run": "the record of a run, as JSON"} {
		srv.AddResourceTemplate(&mcp.ResourceTemplate{Name: name, Title: title, MIMEType: "application/json", URITemplate: "pawl://" + name + "/{id}"}, s.read)
	}
	return srv
}

// add registers a tool. All of them leave the user's files alone. A call ends when
// served does: the SDK's context of a call does not, and it would wait for the call.
func add[In, Out any](served context.Context, s *Server, srv *mcp.Server, name, what string, do func(context.Context, *call, In) (Out, error)) {
	closed := false
	tool := &mcp.Tool{Name: name, Description: what, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed}}
	mcp.AddTool(srv, tool, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		s.calls.Add(1)
		defer s.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(served, cancel)()
		out, err := do(ctx, &call{server: s, report: reporter(ctx, req)}, in)
		return nil, out, err
	})
}

// reporter returns what sends a line of progress to the client, if it wants any.
func reporter(ctx context.Context, req *mcp.CallToolRequest) func(string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string) {}
	}
	n := 0.0
	return func(line string) {
		n++
		// A client that has gone has cancelled the call: ctx says so.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: line})
	}
}

// read answers for the resources.
func (s *Server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	kind, id, _ := strings.Cut(strings.TrimPrefix(uri, "pawl://"), "/")
	var data []byte
	switch kind {
	case "output":
		data = s.outputs.get(id)
	case "run":
		if runID(id) {
			c := &call{server: s, report: func(string) {}}
			data, _, _ = c.run(ctx, job{verb: "log", operands: []string{id}}) // no such run: not found
		}
	}
	if !json.Valid(data) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(data)}}}, nil
}

// runID reports whether s can be the name of a run, and not of a file.
func runID(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-')
	}) && s[0] != '-'
}

func unmarshal[T any](verb string, data []byte) (T, error) {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("pawl %s printed what is no JSON: %w", verb, err)
	}
	return v, nil
}
