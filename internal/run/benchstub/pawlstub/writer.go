package pawlstub

import "fmt"

// The limits of one input.
const (
	dataAt   = 2 << 10  // bytes of a string from which on it is Data
	maxData  = 1 << 20  // bytes of all Data together
	maxText  = 16 << 10 // bytes of all else
	maxDepth = 64
)

// A refusal is why a value has no text.
type refusal struct{ path, why string }

func (r refusal) Error() string { return r.path + " " + r.why }

// A writer collects the source of an expression for a file of one package.
type writer struct {
	own   string // import path of that package
	parts []Part
	text  int    // bytes of source so far
	data  int    // and of data
	path  string // of the value at hand
	notes map[string]bool
}

func (p *writer) refuse(format string, args ...any) {
	panic(refusal{p.path, fmt.Sprintf(format, args...)})
}

func (p *writer) note(format string, args ...any) { p.notes[fmt.Sprintf(format, args...)] = true }

// capture returns what f writes instead of writing it.
func (p *writer) capture(f func()) []Part {
	outer := p.parts
	p.parts = nil
	f()
	inner := p.parts
	p.parts = outer
	return inner
}

func (p *writer) write(s string) {
	if p.text += len(s); p.text > maxText {
		p.refuse("is larger than %d KiB as source", maxText>>10)
	}
	p.append(Part{Text: s})
}

func (p *writer) append(parts ...Part) {
	for _, x := range parts {
		last := len(p.parts) - 1
		if last >= 0 && x.Name == "" && x.Data == nil && p.parts[last].Name == "" && p.parts[last].Data == nil {
			p.parts[last].Text += x.Text
			continue
		}
		p.parts = append(p.parts, x)
	}
}

// named writes a declared name of a package.
func (p *writer) named(pkg, name string) {
	p.text += len(name)
	p.append(Part{Pkg: pkg, Name: name})
}

// large writes a string or a slice of bytes that goes to a file.
func (p *writer) large(b []byte, str bool) {
	if p.data += len(b); p.data > maxData {
		p.refuse("is larger than %d KiB", maxData>>10)
	}
	p.append(Part{Data: append([]byte(nil), b...), String: str})
}

func (p *writer) at(step string, f func()) {
	old := p.path
	p.path += step
	f()
	p.path = old
}
