package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Page is one page of a browser. Its methods are called by one goroutine at a
// time.
type Page struct {
	b       *Browser
	session string
	target  string

	mu       sync.Mutex
	said     []Said
	requests []string
	loaded   map[string]bool // documents whose load event has come
	crashed  bool
	changed  chan struct{} // closed, and made anew, when an event has come
}

// Said is what a page wrote to the console, a script's exception, what the
// browser has to say against the page, or a dialog that it opened.
type Said struct {
	Kind string // log, info, warning, error, exception, issue, dialog, crash
	Text string
}

func (s Said) String() string { return s.Kind + ": " + s.Text }

// NewPage opens an empty page. The caller closes it, or the browser.
func (b *Browser) NewPage(ctx context.Context) (*Page, error) {
	p := &Page{b: b, loaded: make(map[string]bool), changed: make(chan struct{})}
	var target struct{ TargetID string }
	if err := b.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, fmt.Errorf("opening a page: %w", err)
	}
	p.target = target.TargetID
	var attached struct{ SessionID string }
	if err := b.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": p.target, "flatten": true}, &attached); err != nil {
		return nil, fmt.Errorf("opening a page: %w", err)
	}
	p.session = attached.SessionID
	b.conn.listen(p.session, p.event)
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Audits", "Inspector"} {
		if err := p.call(ctx, domain+".enable", nil, nil); err != nil {
			return nil, fmt.Errorf("opening a page: %w", err)
		}
	}
	if err := p.call(ctx, "Page.setLifecycleEventsEnabled", map[string]any{"enabled": true}, nil); err != nil {
		return nil, fmt.Errorf("opening a page: %w", err)
	}
	// Of several pages, one has the focus of the system: the others would show no element's.
	if err := p.call(ctx, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil); err != nil {
		return nil, fmt.Errorf("opening a page: %w", err)
	}
	return p, nil
}

func (p *Page) call(ctx context.Context, method string, params, result any) error {
	return p.b.call(ctx, p.session, method, params, result)
}

func (p *Page) Close(ctx context.Context) error {
	p.b.conn.listen(p.session, nil)
	if err := p.b.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": p.target}, nil); err != nil {
		return fmt.Errorf("closing a page: %w", err)
	}
	return nil
}

// event is called by the goroutine that reads from the browser.
func (p *Page) event(m message) {
	var e struct {
		Type, Text, Message, Name, LoaderID string
		Args                                []struct {
			Value       json.RawMessage
			Description string
		}
		ExceptionDetails exception
		Entry            struct{ Level, Text, URL string }
		Issue            struct {
			Code    string
			Details json.RawMessage
		}
		URL     string
		Request struct{ URL string }
	}
	err := json.Unmarshal(m.Params, &e) // fails for events that nobody here asks about
	switch m.Method {
	default:
		return
	case "Runtime.consoleAPICalled":
		var words []string
		for _, a := range e.Args {
			words = append(words, strings.Trim(string(a.Value)+a.Description, `"`))
		}
		p.note(Said{e.Type, strings.Join(words, " ")})
	case "Runtime.exceptionThrown":
		p.note(Said{"exception", e.ExceptionDetails.text()})
	case "Log.entryAdded":
		p.note(Said{e.Entry.Level, e.Entry.Text + " " + e.Entry.URL})
	case "Audits.issueAdded":
		p.note(Said{"issue", e.Issue.Code + " " + string(e.Issue.Details)})
	case "Page.javascriptDialogOpening":
		p.note(Said{"dialog", e.Message})
		go p.dismiss()
	case "Inspector.targetCrashed":
		p.set(func() { p.crashed = true })
		p.note(Said{"crash", "the page's process ended"})
	case "Network.requestWillBeSent":
		p.set(func() { p.requests = append(p.requests, e.Request.URL) })
	case "Network.webSocketCreated", "Network.webTransportCreated":
		p.set(func() { p.requests = append(p.requests, e.URL) })
	case "Page.lifecycleEvent":
		if e.Name == "load" {
			p.set(func() { p.loaded[e.LoaderID] = true })
		}
	}
	if err != nil {
		p.note(Said{"error", "the event " + m.Method + " cannot be read: " + err.Error()})
	}
}

// dismiss closes a dialog, for nothing else works while it is open. It ends
// with its answer, or with the browser's patience.
func (p *Page) dismiss() {
	_ = p.call(context.Background(), "Page.handleJavaScriptDialog", map[string]any{"accept": false}, nil)
}

func (p *Page) note(s Said) { p.set(func() { p.said = append(p.said, s) }) }

func (p *Page) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	close(p.changed)
	p.changed = make(chan struct{})
}

// await waits until done says so. It is asked again after each event.
func (p *Page) await(ctx context.Context, done func() bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.b.conn.patience, fmt.Errorf("it did not come within %s", p.b.conn.patience))
	defer cancel()
	for {
		p.mu.Lock()
		ok, crashed, changed := done(), p.crashed, p.changed
		p.mu.Unlock()
		switch {
		case ok:
			return nil
		case crashed:
			return errors.New("the page's process ended")
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-p.b.conn.ended:
			return p.b.conn.err
		}
	}
}

// Goto opens a URL and waits for the end of its loading. What the page said and
// asked for before is forgotten. A URL that differs in its fragment alone is a
// jump in the page that is there.
func (p *Page) Goto(ctx context.Context, url string) error {
	p.set(func() { p.said, p.requests = nil, nil })
	var nav struct{ LoaderID, ErrorText string }
	if err := p.call(ctx, "Page.navigate", map[string]any{"url": url}, &nav); err != nil {
		return fmt.Errorf("opening %s: %w", url, err)
	}
	if nav.ErrorText != "" {
		return fmt.Errorf("opening %s: %s", url, nav.ErrorText)
	}
	if nav.LoaderID == "" {
		return nil
	}
	if err := p.await(ctx, func() bool { return p.loaded[nav.LoaderID] }); err != nil {
		return fmt.Errorf("opening %s: waiting for the end of loading: %w", url, err)
	}
	return nil
}

// Said returns what the page said since Goto.
func (p *Page) Said() []Said {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.said)
}

// Requests returns what the page asked for since Goto, itself first.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Foreign returns the requests for anything but the page itself and what
// stands in it.
func (p *Page) Foreign() []string {
	var out []string
	for i, url := range p.Requests() {
		inside := strings.HasPrefix(url, "data:") || strings.HasPrefix(url, "about:") || strings.HasPrefix(url, "blob:")
		if itself := i == 0 && strings.HasPrefix(url, "file:"); !inside && !itself {
			out = append(out, url)
		}
	}
	return out
}

// An exception is how the protocol tells of one.
type exception struct {
	Text      string
	Line      int `json:"lineNumber"` // from 0
	Exception struct{ Description string }
}

func (e exception) text() string {
	return fmt.Sprintf("line %d: %s %s", e.Line+1, e.Text, e.Exception.Description)
}

// Eval evaluates an expression in the page, waits where it is a promise, and
// reads its value as JSON into out unless that is nil. An exception is an error.
func (p *Page) Eval(ctx context.Context, js string, out any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *exception
	}
	params := map[string]any{"expression": js, "awaitPromise": true, "returnByValue": true}
	if err := p.call(ctx, "Runtime.evaluate", params, &answer); err != nil {
		return fmt.Errorf("evaluating %s: %w", brief(js), err)
	}
	if e := answer.ExceptionDetails; e != nil {
		return fmt.Errorf("evaluating %s: %s", brief(js), e.text())
	}
	if out == nil {
		return nil
	}
	if answer.Result.Value == nil {
		return fmt.Errorf("evaluating %s: it has no value", brief(js))
	}
	if err := json.Unmarshal(answer.Result.Value, out); err != nil {
		return fmt.Errorf("evaluating %s: reading its value: %w", brief(js), err)
	}
	return nil
}

func brief(js string) string {
	js = strings.Join(strings.Fields(js), " ")
	if len(js) > 80 {
		js = js[:80] + "…"
	}
	return js
}

// Screenshot returns a PNG of the page: what is in view, or all of it.
func (p *Page) Screenshot(ctx context.Context, whole bool) ([]byte, error) {
	return p.picture(ctx, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole})
}

// PDF returns the page as it is printed.
func (p *Page) PDF(ctx context.Context) ([]byte, error) {
	return p.picture(ctx, "Page.printToPDF", map[string]any{"printBackground": true})
}

func (p *Page) picture(ctx context.Context, method string, params map[string]any) ([]byte, error) {
	var answer struct{ Data string }
	if err := p.call(ctx, method, params, &answer); err != nil {
		return nil, fmt.Errorf("taking a picture of the page: %w", err)
	}
	data, err := base64.StdEncoding.DecodeString(answer.Data)
	if err != nil {
		return nil, fmt.Errorf("taking a picture of the page: %w", err)
	}
	return data, nil
}
