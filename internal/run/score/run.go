package score

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// Options say what is scored and how.
type Options struct {
	Tool      string // pawl's version
	Args      []string
	Corpus    string        // the corpus file: rows name profiles relative to it
	Resume    bool          // take the rows that an earlier run has scored, and go on with the others
	Mirrors   string        // directory of the mirrors
	Only      []string      // ids of rows; none means all
	Budget    time.Duration // of optimize in a row, and of try
	PerChange time.Duration // of the duets of one change
	Alpha     float64       // error rate of a claim
	MinEffect float64       // smallest gain worth having
	Timeout   time.Duration // of one package's tests
	Short     bool          // tests are run with -short
	Seed      uint64
	Sandbox   *gocmd.SandboxConfig
	Keep      string // a directory that the checkouts are left in; "" for none
	Env       []string
	CacheDir  string
	Watch     testbed.Watcher
	Now       func() time.Time
	Done      func(model.Scored) // called after each row; may be nil
}

type session struct {
	opt  Options
	out  *model.Score
	past *progress
}

// ErrNothing is the error for a run in which no row could be scored.
var ErrNothing = errors.New("no row could be scored")

// Run scores the rows, one after the other, and returns what it has when ctx
// ends. The error is ErrNothing, or says what kept it from beginning.
func Run(ctx context.Context, rows []Row, opt Options) (sc *model.Score, err error) {
	opt.Watch = testbed.Watched(opt.Watch)
	s := &session{opt: opt, out: &model.Score{
		Schema: model.SchemaVersion, Tool: opt.Tool, Args: opt.Args, Started: opt.Now(), Budget: opt.Budget.Seconds(), Rows: []model.Scored{},
	}}
	s.out.Env = bench.Environment(ctx, gocmd.Bare(opt.Env, gocmd.NewMeter(opt.Now())))
	if rows, err = only(rows, opt.Only); err != nil {
		return nil, err
	}
	if s.past, err = begin(ctx, opt); err != nil {
		return nil, err
	}
	dir, remove, err := checkouts(opt.Keep)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	scored := 0
	for _, row := range rows {
		if ctx.Err() != nil {
			break
		}
		out, ok, err := s.scored(ctx, row, filepath.Join(dir, fmt.Sprintf("%03d", row.Line)))
		if !ok {
			break
		}
		if out.Failed == "" {
			scored++
		}
		s.out.Rows = append(s.out.Rows, out)
		if opt.Done != nil {
			opt.Done(out)
		}
		if err != nil {
			return s.out, err
		}
	}
	if ctx.Err() != nil {
		s.out.Stopped = "interrupted"
		return s.out, nil
	}
	if scored == 0 {
		return s.out, ErrNothing
	}
	return s.out, nil
}

// checkouts makes the directory for checkouts: a new one in keep, which stays, or
// a temporary one. remove removes what does not stay.
func checkouts(keep string) (dir string, remove func() error, err error) {
	if keep == "" {
		s, err := gocmd.NewScratch("", "score")
		if err != nil {
			return "", nil, err
		}
		return s.Dir, s.Remove, nil
	}
	if dir, err = os.MkdirTemp(keep, "pawl-score-"); err != nil {
		return "", nil, fmt.Errorf("making a directory for checkouts: %w", err)
	}
	return dir, func() error { return nil }, nil
}

func only(rows []Row, ids []string) ([]Row, error) {
	for _, id := range ids {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.ID == id }) {
			return nil, testbed.Usage(fmt.Sprintf("the corpus has no row %s", id))
		}
	}
	if len(ids) == 0 {
		return rows, nil
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !slices.Contains(ids, r.ID) }), nil
}

// scored scores a row, unless an earlier run has, and saves what it found. It is
// false for one that was interrupted before there was a verdict. With a verdict it
// is a result, with which -resume goes on. The error is that it could not be saved.
func (s *session) scored(ctx context.Context, row Row, scratch string) (model.Scored, bool, error) {
	key := s.opt.key(row)
	out, known := s.past.done[key]
	if out.Line = row.Line; known && out.Failed == "" && out.Stopped == "" {
		return out, true, nil
	}
	out = s.row(ctx, row, out, scratch)
	if ctx.Err() != nil {
		if out.Verdict == "" {
			return out, false, nil
		}
		out.Failed, out.Stopped = "", "interrupted"
	}
	return out, true, s.past.save(ctx, key, out)
}

// row scores one row, or goes on with one that has its verdict. That it fails is part of the result.
func (s *session) row(ctx context.Context, row Row, past model.Scored, scratch string) model.Scored {
	start := s.opt.Now()
	out := model.Scored{
		ID: row.ID, Line: row.Line, Repo: row.Repo, Parent: row.Parent, Fix: row.Fix, Package: row.Package, Bench: row.Bench,
		Expected: row.Expected, Accept: row.Accept,
	}
	if past.Stopped != "" {
		out, start = past, start.Add(-time.Duration(past.Seconds*float64(time.Second)))
		out.Stopped = ""
	}
	rowCtx, done := context.WithCancel(ctx)
	defer done() // and its sandboxes
	if err := s.score(rowCtx, row, scratch, &out); err != nil {
		out.Failed = strings.TrimSpace(err.Error())
	}
	out.Accepted = slices.Contains(out.Accept, out.Verdict)
	out.Seconds = s.opt.Now().Sub(start).Seconds()
	if s.opt.Keep == "" {
		if err := removeAll(scratch); err != nil {
			out.Notes = append(out.Notes, err.Error())
		}
	}
	return out
}

// removeAll removes a directory in which there may be others without the right to
// write, as the go command makes them.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func (s *session) score(ctx context.Context, row Row, scratch string, out *model.Scored) error {
	if row.Bad != "" {
		return fmt.Errorf("line %d of the corpus: %s", row.Line, row.Bad)
	}
	s.opt.Watch.Stage("preparing", row.ID)
	c, err := s.prepare(ctx, row, scratch)
	if c != nil {
		out.Notes = c.notes
	}
	if err != nil {
		return err
	}
	if row.Bench == "" {
		out.Verdict, out.Why = model.ScoreNoBenchmark, "the row names no benchmark: pawl bench-stub writes one, and a production profile says what the change is worth"
		return nil
	}
	out.Bench = c.bench.pattern()
	if c.patch == "" {
		return errors.New("the fix changes no code of the benchmark's module")
	}
	if out.Verdict == "" {
		if err := errors.Join(s.upstream(ctx, row, c, out), ctx.Err()); err != nil {
			out.Verdict = "" // there may have been another try, with consent
			return err
		}
	}
	if err := s.own(ctx, row, c, out); err != nil {
		return err
	}
	out.AllocPart, out.CPUPart = parts(out.Own, out.Upstream)
	return nil
}
