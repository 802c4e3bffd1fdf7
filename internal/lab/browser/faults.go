package browser

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed faults.js
var faultsJS string

// Faults returns what a person would stumble over on the page as it is shown
// now: it scrolls to the side, a link leads nowhere, text is too pale (WCAG 2.2,
// 1.4.3), is cut, or lies on other text, something that scrolls cannot be
// reached by key, headings leave out a level, something has no name for those
// who do not see it, or the page wrote to the console or asked for anything but
// itself.
func (p *Page) Faults(ctx context.Context) ([]string, error) {
	var out []string
	for _, s := range p.Said() {
		out = append(out, "said: "+s.String())
	}
	for _, url := range p.Foreign() {
		out = append(out, "asked for: "+url)
	}
	var more []string
	if err := p.Eval(ctx, faultsJS+".faults()", &more); err != nil {
		return nil, fmt.Errorf("looking for faults: %w", err)
	}
	nameless, err := p.nameless(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for faults: %w", err)
	}
	return slices.Concat(out, more, nameless), nil
}

// OpenAll opens all that is folded, and says how many that were.
func (p *Page) OpenAll(ctx context.Context) (int, error) {
	var n int
	if err := p.Eval(ctx, faultsJS+".open()", &n); err != nil {
		return 0, fmt.Errorf("unfolding the page: %w", err)
	}
	return n, nil
}

// named are the roles of elements that must say what they are.
var named = []string{
	"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "slider", "tab", "tabpanel", "tree", "treeitem",
	"region", "image", "img", "graphics-document", "dialog", "DisclosureTriangle", "menuitem", "switch", "spinbutton",
}

// nameless returns the elements that a screen reader has no name for.
func (p *Page) nameless(ctx context.Context) ([]string, error) {
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored           bool
			Role, Name        value
			BackendDOMNodeID  int
			ChildIDs          []string
			ChromeRole, Value value
		}
	}
	if err := p.call(ctx, "Accessibility.getFullAXTree", nil, &tree); err != nil {
		return nil, err
	}
	var out []string
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		text, _ := n.Name.Value.(string)
		if !n.Ignored && slices.Contains(named, role) && strings.TrimSpace(text) == "" {
			out = append(out, fmt.Sprintf("nameless: a %s (node %d)", role, n.BackendDOMNodeID))
		}
	}
	return out, nil
}

// A Stop is an element that has the focus.
type Stop struct {
	Name   string // which it is, and its text
	N      int    // its place among all that can have the focus, from 0; -1 if it is not among them
	Marked bool   // it looks different from without the focus
	Inside bool   // it is in view, and nothing covers it
}

// Stops returns the names of all elements that Tab should come by, in the order
// of the page.
func (p *Page) Stops(ctx context.Context) ([]string, error) {
	var out []string
	if err := p.Eval(ctx, faultsJS+".stops()", &out); err != nil {
		return nil, fmt.Errorf("finding what can have the focus: %w", err)
	}
	return out, nil
}

// Focus returns the element that has the focus; nil where none has.
func (p *Page) Focus(ctx context.Context) (*Stop, error) {
	var out *Stop
	if err := p.Eval(ctx, faultsJS+".focus()", &out); err != nil {
		return nil, fmt.Errorf("finding the focus: %w", err)
	}
	return out, nil
}
