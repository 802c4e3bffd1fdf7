package pawlstub

import "strings"

// A Part is a piece of source text. What a package is called, and where large
// data lies, is for the writer of the file to decide: they are pieces of their
// own. Exactly one of Text, Name and Data is there.
type Part struct {
	Text string `json:"t,omitempty"`
	// Name is a declared name of the package with import path Pkg. For a
	// generic type it has the type arguments as reflect writes them.
	Pkg  string `json:"p,omitempty"`
	Name string `json:"n,omitempty"`
	// Data is an expression of type []byte, or string if String is set, whose
	// value is too large for source.
	Data   []byte `json:"b,omitempty"`
	String bool   `json:"s,omitempty"`
}

// An Input is what one call was given.
type Input struct {
	Params  []Param  `json:"params,omitempty"`
	Results [][]Part `json:"results,omitempty"` // their types; empty for one that has no name
	Size    int      `json:"size"`              // bytes that the values hold, with all they lead to
	Failed  string   `json:"failed,omitempty"`  // "error" or "panic"
	Notes   []string `json:"notes,omitempty"`   // in what the text differs from the value
	// Refused says why there is no text; the rest is empty then.
	Refused string `json:"refused,omitempty"`
}

// A Param is a receiver or an argument.
type Param struct {
	Name  string `json:"name"`
	Type  []Part `json:"type,omitempty"` // empty for one that has no name
	Expr  []Part `json:"expr"`
	Size  int    `json:"size"`
	Kind  string `json:"kind"`            // of reflect: "slice"
	Bytes bool   `json:"bytes,omitempty"` // a string or a slice of bytes
	Zero  bool   `json:"zero,omitempty"`
	// Written says that the function writes to what it is given; Flat that a
	// copy of a slice's elements undoes that.
	Written bool `json:"written,omitempty"`
	Flat    bool `json:"flat,omitempty"`
}

// key returns what two equal values have in common.
func key(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
		b.WriteString(p.Pkg)
		b.WriteString(p.Name)
		b.Write(p.Data)
		b.WriteByte(0)
	}
	return b.String()
}

func textLen(parts []Part) int {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + len(p.Name)
	}
	return n
}

// lines reports whether parts take more than one line.
func lines(parts []Part) bool {
	for _, p := range parts {
		if strings.Contains(p.Text, "\n") {
			return true
		}
	}
	return false
}
