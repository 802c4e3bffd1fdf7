package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// latest is how many outputs are kept.
const latest = 32

// outputs are the outputs of the latest calls, by the order of their calls.
type outputs struct {
	mu    sync.Mutex
	calls int
	kept  map[string][]byte
}

// keep keeps an output, forgets the oldest if there are too many, and returns
// the id of the new one.
func (o *outputs) keep(data []byte) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = make(map[string][]byte)
	}
	delete(o.kept, strconv.Itoa(o.calls-latest+1))
	o.calls++
	id := strconv.Itoa(o.calls)
	o.kept[id] = data
	return id
}

// get returns an output, nil where it is not kept.
func (o *outputs) get(id string) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept[id]
}

type moreIn struct {
	Output string `json:"output" jsonschema:"the output's id, as an earlier answer gave it"`
	From   int    `json:"from,omitempty" jsonschema:"the first line, from 1"`
	Lines  int    `json:"lines,omitempty" jsonschema:"how many lines; 100 without it, 1000 at most"`
}

type moreOut struct {
	Text string `json:"text"`
	Left int    `json:"left" jsonschema:"lines after these"`
}

func (s *Server) more(_ context.Context, _ *call, in moreIn) (moreOut, error) {
	data := s.outputs.get(in.Output)
	if data == nil {
		return moreOut{}, fmt.Errorf("there is no output %q: the latest %d are kept", in.Output, latest)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	n := in.Lines
	if n <= 0 {
		n = 100
	}
	from := min(max(in.From, 1)-1, len(lines))
	to := min(from+min(n, 1000), len(lines))
	return moreOut{strings.Join(lines[from:to], "\n"), len(lines) - to}, nil
}
