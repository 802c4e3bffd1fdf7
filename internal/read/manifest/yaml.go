package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// documents returns the roots of a YAML file. What is no YAML is named, and the
// documents before it go on.
func (f *file) documents() []*yaml.Node {
	var roots []*yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(f.Text))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF):
			return roots
		case err != nil && f.Kind == "deployment" && bytes.Contains(f.Text, []byte("{{")):
			f.cannot(f.stopped(err), "a template that is no YAML before it is filled in", parsed(err), "helm template, and pawl tune on what it prints")
			return roots
		case err != nil:
			f.cannot(f.stopped(err), "broken YAML: "+parsed(err), "", "")
			return roots
		}
		if len(doc.Content) > 0 {
			roots = append(roots, doc.Content[0])
		}
	}
}

// stopped returns where the parser says that it came to an end.
func (f *file) stopped(err error) int {
	line := 1
	if n, _ := fmt.Sscanf(err.Error(), "yaml: line %d:", &line); n != 1 {
		return 0
	}
	return f.line(line)
}

// entry returns the value of a key of a mapping, or nil.
func entry(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		n = resolved(n)
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		n = value(n, key, 0)
	}
	return resolved(n)
}

// maxMerged bounds how deep mappings are merged, which they can be without end.
const maxMerged = 4

func value(n *yaml.Node, key string, depth int) *yaml.Node {
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case key:
			return n.Content[i+1]
		case "<<":
			merged = resolved(n.Content[i+1])
		}
	}
	if merged == nil || depth == maxMerged {
		return nil
	}
	from := []*yaml.Node{merged}
	if merged.Kind == yaml.SequenceNode {
		from = merged.Content
	}
	for _, m := range from {
		if m = resolved(m); m != nil && m.Kind == yaml.MappingNode {
			if found := value(m, key, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// items returns the elements of a list, or a single value as one.
func items(n *yaml.Node) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		out := make([]*yaml.Node, len(n.Content))
		for i, c := range n.Content {
			out[i] = resolved(c)
		}
		return out
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		return []*yaml.Node{n}
	}
	return nil
}

func pairs(n *yaml.Node, do func(key, value *yaml.Node)) {
	if n = resolved(n); n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		do(n.Content[i], resolved(n.Content[i+1]))
	}
}

func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

func (f *file) offset(n *yaml.Node) int {
	at := f.line(n.Line)
	for col := 1; col < n.Column && at < len(f.Text) && f.Text[at] != '\n'; col++ {
		for at++; at < len(f.Text) && f.Text[at]&0xC0 == 0x80; at++ {
		}
	}
	return at
}

func (f *file) line(n int) int {
	if n > len(f.lines()) {
		return len(f.Text)
	}
	return f.lines()[max(n, 1)-1]
}

// scalarText returns the value of a node with where each byte came from.
func (f *file) scalarText(n *yaml.Node) text {
	at := f.offset(n)
	if n.Style&yaml.LiteralStyle != 0 {
		return f.literal(n)
	}
	start := at
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		start++
	}
	if end := start + len(n.Value); end <= len(f.Text) && string(f.Text[start:end]) == n.Value {
		return f.span(start, end)
	}
	return fixed(n.Value, at)
}

// literal returns the value of a block whose lines stand as they are, but for
// their indentation.
func (f *file) literal(n *yaml.Node) text {
	var out text
	at := f.line(n.Line + 1)
	for line := range strings.Lines(n.Value) {
		end := len(f.Text)
		if i := bytes.IndexByte(f.Text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if bytes.HasSuffix(f.Text[at:end], []byte(line)) {
			out = out.plus(f.span(end-len(line), end))
		} else {
			out = out.plus(fixed(line, at))
		}
		at = end
	}
	return out
}

// settingOf makes a setting of a node that is its value. A value that a template
// puts there may look like a mapping, and one that is null comes from elsewhere.
func (f *file) settingOf(name string, n *yaml.Node) Setting {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return Setting{Name: name, Value: unknown, At: f.at(f.offset(n)), Open: true}
	}
	t := f.scalarText(n)
	from, to := t.whole(0, len(t.s))
	t = t.without("${{", "}}").without("{{", "}}")
	return Setting{Name: name, Value: t.s, At: f.at(f.offset(n)), Start: from, End: to, Open: strings.Contains(t.s, unknown)}
}

// environment reads variables: a mapping, a list of NAME=value, or a list of
// mappings with name and value.
func (f *file) environment(n *yaml.Node) []Setting {
	var out []Setting
	pairs(n, func(key, value *yaml.Node) { out = append(out, f.settingOf(key.Value, value)) })
	for _, item := range items(n) {
		if item.Kind == yaml.ScalarNode {
			s := f.settingOf("", item)
			if name, value, ok := strings.Cut(s.Value, "="); ok {
				s.Name, s.Value = strings.TrimSpace(name), value
				out = append(out, s)
			}
			continue
		}
		name := scalar(entry(item, "name"))
		if value := entry(item, "value"); value != nil {
			out = append(out, f.settingOf(name, value))
		} else if of := entry(item, "valueFrom", "resourceFieldRef", "resource"); of != nil {
			out = append(out, Setting{Name: name, Value: From + of.Value, At: f.at(f.offset(of))})
		} else if entry(item, "valueFrom") != nil {
			out = append(out, Setting{Name: name, Value: unknown, At: f.at(f.offset(item)), Open: true})
		}
	}
	return out
}

// From begins a value that is taken from a limit of the container, as in
// limits.memory.
const From = "from "
