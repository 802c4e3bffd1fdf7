package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var chromium Shared

// As a browser that does not behave, the test's own program is started anew.
const playVariable = "PAWL_BROWSER_PLAYS"

func TestMain(m *testing.M) {
	if what := os.Getenv(playVariable); what != "" {
		play(what)
	}
	code := m.Run()
	if err := chromium.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// play is what a browser may do instead of answering.
func play(what string) {
	in, out := os.NewFile(3, "in"), os.NewFile(4, "out")
	fmt.Fprintln(os.Stderr, "I play", what)
	switch what {
	case "dies":
		os.Exit(7)
	case "mute":
		_, _ = io.Copy(io.Discard, in)
	case "deaf":
		time.Sleep(time.Hour)
	case "babbles":
		_, _ = out.WriteString("no JSON\x00")
		_, _ = io.Copy(io.Discard, in)
	case "halts":
		_, _ = out.WriteString(`{"id":1,`)
	}
	os.Exit(0)
}

func TestABrowserThatDoesNotBehave(t *testing.T) {
	for what, want := range map[string]string{
		"dies":    "exit status 7",
		"mute":    "no answer within",
		"deaf":    "no answer within",
		"babbles": "invalid character",
		"halts":   "unexpected EOF",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			l := launch{path: os.Args[0], env: append(os.Environ(), playVariable+"="+what), patience: 2 * time.Second}
			b, err := open(context.Background(), l)
			if err == nil {
				t.Fatal("it was taken for a browser", b.Close())
			}
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "starting ") {
				t.Errorf("no %q in: %v", want, err)
			}
		})
	}
}

func TestNoBrowserIsSaid(t *testing.T) {
	t.Setenv(PathVariable, filepath.Join(t.TempDir(), "none"))
	if _, err := Open(context.Background()); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), PathVariable) {
		t.Errorf("got: %v", err)
	}
	t.Setenv(PathVariable, "")
	t.Setenv("PATH", "")
	if _, err := Open(context.Background()); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "chromium-browser") {
		t.Errorf("got: %v", err)
	}
}

// The end of the context is the end of the browser, and leaves no profile.
func TestEndOfContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	b, err := Open(ctx)
	if errors.Is(err, ErrNone) {
		cancel()
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.NewPage(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-b.gone
	if err := p.Eval(context.Background(), "1", nil); err == nil {
		t.Error("a browser that ended evaluates")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Error("closing twice:", err)
	}
	if _, err := os.Stat(b.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its profile is left: %v", err)
	}
}

// write makes a file of a page's body and returns its URL.
func write(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	text := `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title>` + body
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func visit(t *testing.T, body string) (context.Context, *Page) {
	t.Helper()
	ctx, p := chromium.Page(t)
	if err := p.Show(ctx, Look{Width: 800, Height: 600}); err != nil {
		t.Fatal(err)
	}
	if err := p.Goto(ctx, write(t, body)); err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

func TestInput(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>in</h1><input id="a"><button id="b" onclick="this.textContent='clicked'">b</button>
<script>var seen = []; addEventListener('keydown', e => seen.push((e.shiftKey ? 'S ' : '') + (e.ctrlKey ? 'C ' : '') + e.key))</script>
<div style="position:relative"><a id="under" href="#a">x</a><div style="position:absolute;inset:0;background:red"></div></div>`)
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(p.Click(ctx, "#a"))
	do(p.Type(ctx, "GC/é 7"))
	do(p.Key(ctx, "Backspace"))
	do(p.Key(ctx, "Tab"))
	do(p.Key(ctx, "Shift+Tab"))
	do(p.Key(ctx, "Control+f"))
	do(p.Key(ctx, "ArrowDown"))
	do(p.Key(ctx, "+"))
	do(p.Click(ctx, "#b"))
	var got struct{ Value, Button, Seen string }
	do(p.Eval(ctx, `({Value: a.value, Button: b.textContent, Seen: seen.join('|')})`, &got))
	if got.Value != "GC/é +" && got.Value != "+" { // Tab back selects what was typed
		t.Errorf("typed %q", got.Value)
	}
	if got.Button != "clicked" {
		t.Errorf("the button says %q", got.Button)
	}
	if want := "G|C|/|é| |7|Backspace|Tab|S Tab|C f|ArrowDown|+"; got.Seen != want {
		t.Errorf("keys %q, not %q", got.Seen, want)
	}
	for selector, want := range map[string]string{"#under": "covered", "#none": "no such element"} {
		if err := p.Click(ctx, selector); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", selector, err)
		}
	}
	if err := p.Key(ctx, "NoKey"); err == nil {
		t.Error("NoKey was pressed")
	}
}

func TestSaidAndRequests(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1><img src="http://example.invalid/a.png" alt="a"><script>console.error("oh", 3); alert("hi"); nope()</script>`)
	if err := p.await(ctx, func() bool { return len(p.said) >= 4 }); err != nil {
		t.Error(err)
	}
	said := fmt.Sprint(p.Said())
	for _, want := range []string{"error: oh 3", "dialog: hi", "exception: line 1: Uncaught ReferenceError: nope", "ERR_NAME_NOT_RESOLVED"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	if got := p.Foreign(); len(got) != 1 || got[0] != "http://example.invalid/a.png" {
		t.Errorf("asked for %q", got)
	}
	if err := p.Eval(ctx, "nope()", nil); err == nil || !strings.Contains(err.Error(), "nope is not defined") {
		t.Errorf("got: %v", err)
	}
	if err := p.Goto(ctx, "file:///no/such/file"); err == nil {
		t.Error("a file that is not there was opened")
	}
}

func TestAPageThatCrashes(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1>`)
	if err := p.Goto(ctx, "chrome://crash"); err == nil {
		t.Error("a page that crashed was opened")
	}
	// The browser lives on.
	visit(t, `<h1>y</h1>`)
}

func TestPictures(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1><div style="height:4000px;background:linear-gradient(red,blue)"></div>`)
	shot, err := p.Screenshot(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dy() < 4000 || b.Dx() > 800 {
		t.Errorf("a picture of %v", b)
	}
	pdf, err := p.PDF(ctx)
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("%d bytes of PDF: %v", len(pdf), err)
	}
	// A message of some MB, both ways.
	var back string
	big := strings.Repeat("x", 8<<20)
	if err := p.Eval(ctx, `"`+big+`"`, &back); err != nil || back != big {
		t.Errorf("%d bytes came back: %v", len(back), err)
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, `<h1>x</h1>`)
	if err := p.Scripts(ctx, false); err != nil {
		t.Fatal(err)
	}
	if err := p.Goto(ctx, write(t, `<h1>off</h1><noscript>none</noscript><script>document.querySelector('h1').textContent='on'</script>`)); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := p.Eval(ctx, `document.body.innerText`, &got); err != nil || !strings.Contains(got, "off") || !strings.Contains(got, "none") {
		t.Errorf("%q: %v", got, err)
	}
}
