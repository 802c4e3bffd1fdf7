package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

const (
	patience  = 30 * time.Second // for an answer: the first comes when all of it is loaded, on a busy machine
	goodbye   = 3 * time.Second  // for the browser to end by itself
	killDelay = 2 * time.Second  // for the pipes of a killed browser to close
)

// A Browser is a running Chromium.
type Browser struct {
	conn *conn
	cmd  *exec.Cmd
	dir  string // its profile
	said *tail  // the end of its standard error
	pipe []*os.File
	gone chan struct{} // closed when the process has been waited for
	exit error         // how it ended; read after gone
	once sync.Once
	stop context.CancelFunc
}

// A launch is what a browser is started with.
type launch struct {
	path     string
	env      []string
	patience time.Duration
}

// Open starts Chromium and waits until it answers. When ctx ends, so does the
// browser, with all its processes. Without a Chromium on this machine the error
// is ErrNone. The caller calls Close.
func Open(ctx context.Context) (*Browser, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	return open(ctx, launch{path: path, env: os.Environ(), patience: patience})
}

func open(ctx context.Context, l launch) (*Browser, error) {
	b, err := start(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", l.path, err)
	}
	if err := b.call(ctx, "", "Browser.getVersion", nil, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("starting %s: %w", l.path, err), b.Close())
	}
	return b, nil
}

// start starts the process and the two goroutines that belong to it: one reads
// its pipe, and one waits for its end. Both end with it.
func start(ctx context.Context, l launch) (*Browser, error) {
	b := &Browser{said: &tail{}, gone: make(chan struct{})}
	var theirs []*os.File
	fail := func(err error) (*Browser, error) {
		closeAll(theirs)
		closeAll(b.pipe)
		if b.dir != "" {
			_ = os.RemoveAll(b.dir)
		}
		return nil, err
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "pawl-browser-"); err != nil {
		return fail(err)
	}
	for i := range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return fail(err)
		}
		if i == 1 {
			r, w = w, r
		}
		theirs, b.pipe = append(theirs, r), append(b.pipe, w)
	}
	ctx, b.stop = context.WithCancel(ctx)
	b.cmd = exec.CommandContext(ctx, l.path, arguments(b.dir)...)
	b.cmd.Env, b.cmd.Dir, b.cmd.Stderr, b.cmd.ExtraFiles = l.env, b.dir, b.said, theirs
	b.cmd.Cancel, b.cmd.WaitDelay = func() error { return killGroup(b.cmd) }, killDelay
	ownGroup(b.cmd)
	if err := b.cmd.Start(); err != nil {
		b.stop()
		return fail(err)
	}
	closeAll(theirs)
	b.conn = newConn(b.pipe[0], l.patience)
	go b.conn.read(b.pipe[1])
	go b.wait()
	return b, nil
}

// arguments are chosen so that Chromium does nothing by itself: no network, no
// questions, no services. Scroll bars stay, since most readers have them.
func arguments(dir string) []string {
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + dir,
		"--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-extensions", "--disable-default-apps", "--disable-breakpad", "--disable-crash-reporter",
		"--disable-gpu", "--disable-dev-shm-usage", "--mute-audio", "--password-store=basic", "--use-mock-keychain",
		"--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND", "--lang=en-US", "--force-color-profile=srgb",
		"--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox refuses root
	}
	return append(args, "about:blank")
}

func (b *Browser) wait() {
	b.exit = b.cmd.Wait()
	_ = killGroup(b.cmd) // what outlives the process it belongs to
	close(b.gone)
}

// call adds to an error how the browser ended, where it did.
func (b *Browser) call(ctx context.Context, session, method string, params, result any) error {
	err := b.conn.call(ctx, session, method, params, result)
	if err == nil {
		return nil
	}
	select {
	case <-b.conn.ended:
	default:
		if !errors.Is(err, syscall.EPIPE) { // what it was told finds no reader a moment before that is noticed
			return err
		}
	}
	select { // the pipe closes a moment before the process is gone
	case <-b.gone:
		return fmt.Errorf("%w; it ended: %w; it said: %q", err, orZero(b.exit), b.said.text())
	case <-time.After(killDelay):
		return fmt.Errorf("%w; it said: %q", err, b.said.text())
	}
}

var errZero = errors.New("exit status 0")

func orZero(err error) error {
	if err == nil {
		return errZero
	}
	return err
}

// Close ends the browser, kindly first, and waits for its end. Its profile is
// removed. Closing twice is no error.
func (b *Browser) Close() error {
	var err error
	b.once.Do(func() { err = b.close() })
	return err
}

func (b *Browser) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	if b.conn.call(ctx, "", "Browser.close", nil, nil) == nil {
		select {
		case <-b.gone:
		case <-ctx.Done():
		}
	}
	b.stop()
	<-b.gone
	closeAll(b.pipe) // and so read ends even where a stray process holds the other end
	<-b.conn.ended
	var err error
	for range 20 { // a process that is being killed may still write there
		if err = os.RemoveAll(b.dir); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("removing the browser's profile: %w", err)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // closed twice at worst
	}
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - tailSize; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
