package browser

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
)

// largest is the most that one message may hold. A screenshot of a long page
// has some MB.
const largest = 256 << 20

// A conn is one end of the DevTools protocol. Its one goroutine, which any caller
// made the conn runs, is read.
type conn struct {
	in       deadlined
	patience time.Duration // for one answer
	ended    chan struct{} // closed when read has returned

	writing sync.Mutex

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	pages   map[string]func(message) // by session; what they do must not block
	err     error                    // why read ended
}

// A deadlined is the write end of a pipe.
type deadlined interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// A message is a request, an answer (with ID), or an event (without).
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error,omitempty"`
}

func newConn(in deadlined, patience time.Duration) *conn {
	return &conn{
		in: in, patience: patience, ended: make(chan struct{}),
		waiting: make(map[int]chan message), pages: make(map[string]func(message)),
	}
}

// read hands out what the browser says until it says no more. Then every call
// fails.
func (c *conn) read(r io.Reader) {
	buf := bufio.NewReaderSize(r, 1<<16)
	var err error
	for err == nil {
		var m message
		if m, err = readMessage(buf, largest); err == nil {
			c.deliver(m)
		}
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("the browser closed its pipe")
	}
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	close(c.ended)
}

// readMessage reads up to the next zero byte.
func readMessage(r *bufio.Reader, limit int) (message, error) {
	var m message
	var text []byte
	for {
		part, err := r.ReadSlice(0)
		text = append(text, part...)
		if len(text) > limit {
			return m, fmt.Errorf("reading what the browser says: a message of more than %d bytes", limit)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(text) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return m, fmt.Errorf("reading what the browser says: %w", err)
		}
	}
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
		return m, fmt.Errorf("reading what the browser says: %w", err)
	}
	return m, nil
}

func (c *conn) deliver(m message) {
	c.mu.Lock()
	answer := c.waiting[m.ID]
	page := c.pages[m.Session]
	if m.ID != 0 {
		delete(c.waiting, m.ID)
	}
	c.mu.Unlock()
	switch {
	case m.ID == 0 && page != nil:
		page(m)
	case answer != nil:
		answer <- m // it has room for one, and gets one
	}
}

// listen has the events of a session handed to f, or to nobody where f is nil.
func (c *conn) listen(session string, f func(message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		delete(c.pages, session)
		return
	}
	c.pages[session] = f
}

// call sends a command and waits for its answer, which goes into result unless
// that is nil. A browser that does not answer in time is an error.
func (c *conn) call(ctx context.Context, session, method string, params, result any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.patience, fmt.Errorf("no answer within %s", c.patience))
	defer cancel()
	id, answer, err := c.send(ctx, session, method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	defer c.forget(id)
	select {
	case m := <-answer:
		return m.decode(method, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	case <-c.ended:
	}
	select { // the answer may have been the last that it said
	case m := <-answer:
		return m.decode(method, result)
	default:
		return fmt.Errorf("%s: %w", method, c.err)
	}
}

func (m message) decode(method string, result any) error {
	if e := m.Error; e != nil {
		return fmt.Errorf("%s: %s", method, e.Message+" "+e.Data)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("%s: reading the answer: %w", method, err)
	}
	return nil
}

func (c *conn) send(ctx context.Context, session, method string, params any) (int, chan message, error) {
	m := message{Session: session, Method: method}
	if params != nil {
		text, err := json.Marshal(params)
		if err != nil {
			return 0, nil, err
		}
		m.Params = text
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	c.last++
	m.ID = c.last
	c.waiting[m.ID] = answer
	c.mu.Unlock()
	text, err := json.Marshal(m)
	if err == nil {
		err = c.write(ctx, append(text, 0))
	}
	if err != nil {
		c.forget(m.ID)
	}
	return m.ID, answer, err
}

func (c *conn) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// write writes one message as a whole: a browser that does not read its pipe is
// waited for no longer than ctx says.
func (c *conn) write(ctx context.Context, text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	until, _ := ctx.Deadline()
	if err := c.in.SetWriteDeadline(until); err != nil {
		return fmt.Errorf("asking the browser: %w", err)
	}
	if _, err := c.in.Write(text); err != nil {
		return fmt.Errorf("asking the browser: %w", err)
	}
	return nil
}
