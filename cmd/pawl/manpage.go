package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// man prints the manual of a verb in the form that man(1) shows: the paragraphs
// as they are, and what is indented line by line.
func (v *verb) man(ctx context.Context, e *env) error {
	var text bytes.Buffer
	sub := *e
	sub.stdout = &text
	if err := v.manual(ctx, &sub, true); err != nil {
		return err
	}
	return writeMan(e.stdout, v, text.String())
}

func writeMan(w io.Writer, v *verb, manual string) error {
	synopsis, body, _ := strings.Cut(manual, "\n\n")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH PAWL-%s 1 \"\" \"pawl %s\"\n.SH NAME\npawl-%s \\- %s\n", roff(strings.ToUpper(v.name)), roff(version()), roff(v.name), roff(v.short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n.SH DESCRIPTION\n", roff(strings.TrimPrefix(synopsis, "usage: ")))
	literal := false
	for line := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
		indented := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ")
		if indented != literal && line != "" {
			literal = indented
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[literal])
		}
		switch {
		case line == "":
			b.WriteString(".PP\n")
		case line == "Flags:":
			b.WriteString(".SH OPTIONS\n")
		default:
			b.WriteString(roff(line) + "\n")
		}
	}
	b.WriteString(".fi\n.SH SEE ALSO\nhttps://github.com/pawl\\-dev/pawl\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// roff quotes a line: a backslash, a hyphen that is no dash, and a period or
// apostrophe at its beginning mean something to roff.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
