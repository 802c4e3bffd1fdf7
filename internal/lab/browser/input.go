package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A key is what the protocol wants to know of one beside its name.
type key struct {
	code int    // the virtual key code of Windows, which the browser acts on
	text string // what it types
	name string // its code, where that is not its name
}

var keys = map[string]key{
	"Backspace": {code: 8}, "Tab": {code: 9}, "Enter": {code: 13, text: "\r"}, "Escape": {code: 27},
	"PageUp": {code: 33}, "PageDown": {code: 34}, "End": {code: 35}, "Home": {code: 36},
	"ArrowLeft": {code: 37}, "ArrowUp": {code: 38}, "ArrowRight": {code: 39}, "ArrowDown": {code: 40},
	"Delete": {code: 46}, "F3": {code: 114},
	" ": {code: 32, text: " ", name: "Space"}, "/": {code: 191, text: "/", name: "Slash"}, "?": {code: 191, text: "?", name: "Slash"},
	"+": {code: 187, text: "+", name: "Equal"}, "-": {code: 189, text: "-", name: "Minus"},
}

var modifiers = map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// Key presses a key and lets it go: "Tab", "ArrowDown", "/", "f", or with
// modifiers "Shift+Tab".
func (p *Page) Key(ctx context.Context, name string) error {
	mods, rest := 0, name
	for {
		first, more, ok := strings.Cut(rest, "+")
		if !ok || more == "" || modifiers[first] == 0 {
			break
		}
		mods, rest = mods|modifiers[first], more
	}
	k, ok := keys[rest]
	if !ok {
		r, size := utf8.DecodeRuneInString(rest)
		if size != len(rest) {
			return fmt.Errorf("pressing %s: no such key is known", name)
		}
		k = key{text: rest}
		if up := unicode.ToUpper(r); r < utf8.RuneSelf && unicode.IsLetter(r) {
			k.code, k.name = int(up), "Key"+string(up)
		} else if unicode.IsDigit(r) && r < utf8.RuneSelf {
			k.code, k.name = int(r), "Digit"+string(r)
		}
	}
	k.name = cmp.Or(k.name, rest)
	if mods&^modifiers["Shift"] != 0 {
		k.text = "" // a command types nothing
	}
	params := map[string]any{"key": rest, "code": k.name, "windowsVirtualKeyCode": k.code, "modifiers": mods}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params["type"] = kind
		delete(params, "text")
		if kind == "keyDown" {
			if k.text == "" {
				params["type"] = "rawKeyDown"
			} else {
				params["text"] = k.text
			}
		}
		if err := p.call(ctx, "Input.dispatchKeyEvent", params, nil); err != nil {
			return fmt.Errorf("pressing %s: %w", name, err)
		}
	}
	return nil
}

// Type types a text, key by key.
func (p *Page) Type(ctx context.Context, text string) error {
	for _, r := range text {
		if err := p.Key(ctx, string(r)); err != nil {
			return fmt.Errorf("typing %q: %w", text, err)
		}
	}
	return nil
}

// Click scrolls to the first element that a selector finds and clicks into its
// middle. An element that something else covers there is an error.
func (p *Page) Click(ctx context.Context, selector string) error {
	x, y, err := p.middle(ctx, selector)
	if err == nil {
		err = p.ClickAt(ctx, x, y)
	}
	if err != nil {
		return fmt.Errorf("clicking on %s: %w", selector, err)
	}
	return nil
}

// Point scrolls to an element and moves the mouse there.
func (p *Page) Point(ctx context.Context, selector string) error {
	x, y, err := p.middle(ctx, selector)
	if err == nil {
		err = p.mouse(ctx, "mouseMoved", x, y)
	}
	if err != nil {
		return fmt.Errorf("pointing at %s: %w", selector, err)
	}
	return nil
}

// ClickAt clicks at a place of the window, in CSS pixels.
func (p *Page) ClickAt(ctx context.Context, x, y float64) error {
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		if err := p.mouse(ctx, kind, x, y); err != nil {
			return err
		}
	}
	return nil
}

func (p *Page) mouse(ctx context.Context, kind string, x, y float64) error {
	params := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		params["button"], params["clickCount"] = "left", 1
	}
	return p.call(ctx, "Input.dispatchMouseEvent", params, nil)
}

// middle returns where in the window the middle of an element is.
func (p *Page) middle(ctx context.Context, selector string) (x, y float64, err error) {
	arg, err := json.Marshal(selector)
	if err != nil {
		return 0, 0, err
	}
	var at struct {
		X, Y float64
		Err  string
	}
	if err := p.Eval(ctx, "("+middleJS+")("+string(arg)+")", &at); err != nil {
		return 0, 0, err
	}
	if at.Err != "" {
		return 0, 0, fmt.Errorf("%s", at.Err)
	}
	return at.X, at.Y, nil
}

const middleJS = `selector => {
	const e = document.querySelector(selector)
	if (!e) return {Err: 'there is no such element'}
	e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
	const r = e.getBoundingClientRect()
	if (!r.width || !r.height) return {Err: 'it has no size'}
	const x = r.left + r.width / 2, y = r.top + r.height / 2
	const top = document.elementFromPoint(x, y)
	if (!top) return {Err: 'it is outside of the window'}
	if (!e.contains(top) && !top.contains(e)) return {Err: 'it is covered by ' + top.outerHTML.slice(0, 80)}
	return {X: x, Y: y}
}`
