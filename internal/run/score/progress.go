package score

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

// A progress is what was scored of a corpus so far, in a file of pawl's part of
// the cache directory.
type progress struct {
	path string
	done map[string]model.Scored // by key
}

// A step is one line of the file: a row that was scored, or one without a key
// where a run began that forgets the earlier ones.
type step struct {
	Key string       `json:"key,omitempty"`
	Row model.Scored `json:"row,omitzero"`
}

// begin opens the progress of a corpus. A run that resumes another takes what that
// has done.
func begin(ctx context.Context, opt Options) (*progress, error) {
	name := fmt.Sprintf("%x.jsonl", sha256.Sum256([]byte(opt.Corpus)))
	p := &progress{path: filepath.Join(opt.CacheDir, "pawl", "score", name), done: map[string]model.Scored{}}
	if !opt.Resume {
		return p, store.AppendLine(ctx, p.path, step{})
	}
	steps, err := store.ReadLines[step](p.path)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		if s.Key == "" {
			clear(p.done)
			continue
		}
		p.done[s.Key] = s.Row
	}
	return p, nil
}

// key is the same for a row as long as its cells and all that decides about it are.
func (o Options) key(row Row) string {
	row.Line = 0
	decides := []any{row, o.Tool, o.Mirrors, o.Budget, o.PerChange, o.Alpha, o.MinEffect, o.Timeout, o.Short, o.Sandbox != nil}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", fmt.Sprintf("%+v", decides))))
}

// save keeps a row, also one that the end of ctx has cut short.
func (p *progress) save(ctx context.Context, key string, r model.Scored) error {
	p.done[key] = r
	return store.AppendLine(context.WithoutCancel(ctx), p.path, step{key, r})
}
