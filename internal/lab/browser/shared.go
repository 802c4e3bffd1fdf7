package browser

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// A Shared is one browser for all tests of a package. The first test that wants
// a page starts it, and TestMain closes it.
type Shared struct {
	once sync.Once
	b    *Browser
	err  error
}

// testTime is how long one test may use a page.
const testTime = 2 * time.Minute

// Page returns a page that is closed with the test, and the context to use it
// in. Without a Chromium the test is skipped, or fails where NeedVariable is
// set.
func (s *Shared) Page(t testing.TB) (context.Context, *Page) {
	t.Helper()
	s.once.Do(func() { s.b, s.err = Open(context.Background()) })
	if errors.Is(s.err, ErrNone) && os.Getenv(NeedVariable) == "" {
		t.Skip(s.err)
	}
	if s.err != nil {
		t.Fatal(s.err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), testTime)
	t.Cleanup(cancel)
	p, err := s.b.NewPage(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return ctx, p
}

// Close ends the browser, where there is one.
func (s *Shared) Close() error {
	if s.b == nil {
		return nil
	}
	return s.b.Close()
}
