package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/internal/words"
)

const (
	longestLine = 16 << 20         // of a client, in bytes
	farewell    = 30 * time.Second // for answers, once a client has said all
)

// Lines is a transport with a message a line. The SDK's own ends at the first line
// that is no message, and takes back what was asked before it and what the last
// lines ask. This one answers each line. A batch is answered line by line, too.
type Lines struct {
	In  io.Reader
	Out io.Writer
}

// Connect implements [mcp.Transport].
func (l Lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lines{
		out: l.Out, in: make(chan []byte), closed: make(chan struct{}),
		open: make(map[jsonrpc.ID]bool), quiet: make(chan struct{}, 1),
	}
	go c.scan(l.In) // until the input ends, or the connection is closed and a line comes
	return c, nil
}

type lines struct {
	in     chan []byte // is closed at the end of the input
	failed error       // why it ended, once in is closed
	queue  []json.RawMessage
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex // guards what follows
	out   io.Writer
	open  map[jsonrpc.ID]bool // calls without an answer
	quiet chan struct{}       // has an element once none is open any more
}

func (c *lines) scan(r io.Reader) {
	defer close(c.in)
	s := bufio.NewScanner(r)
	s.Buffer(nil, longestLine)
	for s.Scan() {
		select {
		case c.in <- bytes.Clone(s.Bytes()):
		case <-c.closed:
			return
		}
	}
	c.failed = s.Err()
}

// Read implements [mcp.Connection].
func (c *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		for len(c.queue) > 0 {
			raw := c.queue[0]
			c.queue = c.queue[1:]
			if msg, err := c.message(raw); msg != nil || err != nil {
				return msg, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case line, ok := <-c.in:
			if !ok {
				return nil, c.end(ctx)
			}
			if err := c.split(line); err != nil {
				return nil, err
			}
		}
	}
}

// split queues what a line holds: nothing, a message, or a batch of them.
func (c *lines) split(line []byte) error {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		return c.refuse(nil, jsonrpc.CodeParseError, "this line is no JSON; send one message a line")
	case line[0] != '[':
		c.queue = []json.RawMessage{line}
		return nil
	}
	if err := json.Unmarshal(line, &c.queue); err != nil {
		return err
	}
	if len(c.queue) == 0 {
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, "this batch is empty")
	}
	return nil
}

// message returns a message, or nil where it has answered that it is none.
func (c *lines) message(raw json.RawMessage) (jsonrpc.Message, error) {
	msg, err := jsonrpc.DecodeMessage(raw)
	if raw[0] != '{' {
		err = errors.New("it is no object")
	}
	switch m := msg.(type) {
	case *jsonrpc.Request:
		if m.IsCall() {
			c.mu.Lock()
			c.open[m.ID] = true
			c.mu.Unlock()
		}
	case *jsonrpc.Response:
		if m.Result == nil && m.Error == nil {
			err = errors.New("it has neither a method nor a result")
		}
	}
	if err == nil {
		return msg, nil
	}
	var id struct{ ID any }
	_ = json.Unmarshal(raw, &id) // what is no object has no id
	switch id.ID.(type) {
	case string, float64:
	default:
		id.ID = nil
	}
	return nil, c.refuse(id.ID, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: "+err.Error())
}

// refuse answers what never becomes a request. The SDK's encoding of a response
// would leave out an id that is null.
func (c *lines) refuse(id any, code int64, text string) error {
	data, err := json.Marshal(struct {
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: code, Message: text}})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(data, '\n'))
	return err
}

// Write implements [mcp.Connection].
func (c *lines) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.out.Write(append(data, '\n')); err != nil {
		return err
	}
	if r, ok := msg.(*jsonrpc.Response); ok {
		delete(c.open, r.ID)
		c.tell()
	}
	return nil
}

// tell says that no call is open, where that is so.
func (c *lines) tell() {
	if len(c.open) == 0 {
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
}

// end returns why there is no more input, once what was asked is answered.
func (c *lines) end(ctx context.Context) error {
	if errors.Is(c.failed, bufio.ErrTooLong) {
		c.failed = fmt.Errorf("a line is longer than %s", words.Bytes(longestLine))
		if err := c.refuse(nil, jsonrpc.CodeParseError, c.failed.Error()); err != nil {
			return err
		}
	}
	select { // what it held is about earlier calls
	case <-c.quiet:
	default:
	}
	c.mu.Lock()
	c.tell()
	c.mu.Unlock()
	select {
	case <-c.quiet:
	case <-c.closed:
	case <-ctx.Done():
	case <-time.After(farewell):
	}
	if c.failed != nil {
		return c.failed
	}
	return io.EOF
}

// Close implements [mcp.Connection].
func (c *lines) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [mcp.Connection]: there is one session.
func (c *lines) SessionID() string { return "" }
