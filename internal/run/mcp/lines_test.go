package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What is no message is answered, by the code of JSON-RPC, and the messages around
// it are read.
func TestLines(t *testing.T) {
	const ping = `"jsonrpc":"2.0","method":"ping"`
	in := []string{
		"", "no JSON", "[]", "[1]", "5", "null", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"a"}`,
		`{` + ping + `,"id":{}}`, ` {` + ping + `,"id":2} `, "\r", `[{` + ping + `,"id":3},7,{` + ping + `}]`,
	}
	var out strings.Builder
	conn, err := Lines{strings.NewReader(strings.Join(in, "\n")), &out}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var read []any
	for {
		msg, err := conn.Read(t.Context())
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		id := msg.(*jsonrpc.Request).ID
		read = append(read, id.Raw())
		if id.IsValid() {
			if err := conn.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if d := cmp.Diff([]any{int64(2), int64(3), nil}, read); d != "" {
		t.Errorf("read: %s", d)
	}
	var codes []any
	for line := range strings.Lines(out.String()) {
		var r struct {
			ID    any
			Error struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || !strings.Contains(line, `"id":`) {
			t.Fatalf("%s: %v", line, err)
		}
		codes = append(codes, r.ID, r.Error.Code)
	}
	const invalid = jsonrpc.CodeInvalidRequest
	want := []any{nil, jsonrpc.CodeParseError, nil, invalid, nil, invalid, nil, invalid, nil, invalid, nil, invalid, 1.0, invalid, "a", invalid, nil, invalid, 2.0, 0, 3.0, 0, nil, invalid}
	if d := cmp.Diff(want, codes); d != "" {
		t.Errorf("answered: %s\n%s", d, out.String())
	}
}

// A client that has said all still gets its answer; a line without end is an error.
func TestLinesEnd(t *testing.T) {
	r, w := io.Pipe()
	conn, err := Lines{strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), w}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	msg, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Read(t.Context())
		ended <- err
	}()
	go func() {
		_ = conn.Write(t.Context(), &jsonrpc.Response{ID: msg.(*jsonrpc.Request).ID, Result: json.RawMessage(`{}`)})
	}()
	select {
	case err := <-ended:
		t.Fatalf("ended before the answer: %v", err)
	default:
	}
	if line, err := bufio.NewReader(r).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Errorf("%q, %v", line, err)
	}
	if err := <-ended; err != io.EOF {
		t.Error(err)
	}

	var out strings.Builder
	conn, err = Lines{strings.NewReader(strings.Repeat(" ", longestLine+1)), &out}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "longer than") || !strings.Contains(out.String(), "-32700") {
		t.Errorf("%v, %s", err, out.String())
	}
}

// A server that is told to end ends its calls, and waits for them.
func TestServeEnds(t *testing.T) {
	s := newScene(t, Config{})
	in, w := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(ctx, Lines{in, io.Discard}) }()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"compare","arguments":{"base":"a","candidate":"b"}}}`,
	} {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	until(t, func() bool { return strings.Contains(s.noted(t, "calls"), "compare") })
	stop()
	<-ended
	if !strings.Contains(s.noted(t, "calls"), "ended in order") {
		t.Error("the verb had not ended")
	}
}
