package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/run/mcp"
)

const mcpManual = `
Mcp serves pawl to coding agents by the Model Context Protocol, for the module
of the current directory. It speaks on standard input and output; an agent's
program starts it. The tools are plan, explain, find, try, compare, evidence,
diagnose, log and more (docs/agents.md). None of them writes into your files.

What an agent hands to try is built and run in the sandbox. -sandbox=try goes
on where the system allows only a part of it, and -sandbox=off without one.

An agent cannot allow what the guard refuses. You can, in the file agents.json
of the directory pawl in your configuration directory ($XDG_CONFIG_HOME or
~/.config): {"allow": {"/home/me/module": ["errortext"]}}.

With -http it serves streamable HTTP on a loopback address, for clients that
send the token of PAWL_MCP_TOKEN; without that variable it makes one and prints
it.

It exits with 0 when its client has left, and with 3 when it cannot serve.`

// A serving holds the flags of mcp.
type serving struct {
	chdir   string
	http    string
	budget  time.Duration
	sandbox *sandboxing
}

func (s *serving) register(fs *flag.FlagSet) {
	fs.StringVar(&s.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&s.http, "http", "", "serve HTTP on this loopback `address`, such as localhost:7295, instead of standard input and output")
	spanFlag(fs, &s.budget, "budget", 10*time.Minute, "most `time` that one call may ask for")
	s.sandbox = registerSandbox(fs)
	*s.sandbox = sandboxOn
}

func runMCP(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set serving
	operands, err := v.read(e, set.register, args)
	if err != nil {
		return 0, err
	}
	if len(operands) > 0 {
		return 0, usageError("mcp takes no arguments; pawl help mcp")
	}
	server, err := set.server(e)
	if err != nil {
		return 0, err
	}
	if set.http != "" {
		return exitOK, set.listen(ctx, e, server)
	}
	err = server.Serve(ctx, mcp.Lines{In: os.Stdin, Out: os.Stdout})
	if ctx.Err() != nil { // it was told to end
		return exitOK, nil
	}
	return exitOK, err
}

// server returns the server of the module, with what its user allows.
func (s *serving) server(e *env) (*mcp.Server, error) {
	dir, err := changeDir(e, s.chdir)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var allow []string
	if config, err := os.UserConfigDir(); err == nil { // without a home nothing is allowed
		allow, err = mcp.ReadConsent(filepath.Join(config, "pawl", "agents.json"), dir)
		if err != nil {
			return nil, usageError("%v", err)
		}
	}
	return mcp.New(mcp.Config{
		Pawl: self, Dir: dir, Env: e.environ, Version: version(), Sandbox: string(*s.sandbox), Budget: s.budget, Allow: allow,
	}), nil
}

func (s *serving) listen(ctx context.Context, e *env, server *mcp.Server) error {
	host, _, err := net.SplitHostPort(s.http)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError("-http %s is not a loopback address with a port, such as localhost:7295", s.http)
	}
	token := e.getenv("PAWL_MCP_TOKEN")
	if token != "" && len(token) < mcp.ShortestToken {
		return usageError("PAWL_MCP_TOKEN has fewer than %d characters", mcp.ShortestToken)
	}
	l, err := net.Listen("tcp", s.http)
	if err != nil {
		return fmt.Errorf("-http %s: %w", s.http, err)
	}
	e.printf("pawl: serving on http://%s/\n", l.Addr())
	if token == "" {
		token = rand.Text()
		e.printf("pawl: the token is %s\n", token)
	}
	return server.HTTP(ctx, l, token)
}
