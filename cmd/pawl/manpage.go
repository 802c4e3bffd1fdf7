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
	return writeMan(e.stdout, "pawl-"+v.name, v.short, text.String(), "pawl(1)")
}

// manOfAll prints the list of verbs as a page for man, with the exit codes that they share.
func manOfAll(w io.Writer) error {
	var list bytes.Buffer
	usage(&list)
	text, _, _ := strings.Cut(list.String(), "\nStart with:")
	var pages []string
	for _, v := range verbs() {
		pages = append(pages, "pawl-"+v.name+"(1)")
	}
	text += fmt.Sprintf("\nExit codes:\n  %d  fine\n  %d  findings, or a proven regression\n  %d  wrong usage\n  %d  the work could not be done\n  %d  undecided\n",
		exitOK, exitFindings, exitUsage, exitFailed, exitUndecided)
	return writeMan(w, "pawl", "make Go programs faster, one proven change at a time", "usage: pawl VERB [flags] [operands]\n\n"+text, strings.Join(pages, ", "))
}

// writeMan writes a page of a name, from a manual that begins with its synopsis.
func writeMan(w io.Writer, name, short, manual, also string) error {
	synopsis, body, _ := strings.Cut(manual, "\n\n")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"pawl %s\"\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(name)), roff(version()), roff(name), roff(short))
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
	fmt.Fprintf(&b, ".fi\n.SH SEE ALSO\n%s, https://github.com/pawl\\-dev/pawl\n", roff(also))
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
