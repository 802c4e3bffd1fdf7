package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/report/sheet"
)

const helpManual = `
Help explains a verb on one screen: what it does, and the flags to know first.
Without a verb, it lists them.

-all prints the whole manual of the verb, with every flag. -man prints that as a
page for man, and without a verb the page of pawl itself:

	pawl help -man optimize >/usr/local/share/man/man1/pawl-optimize.1
	pawl help -man          >/usr/local/share/man/man1/pawl.1`

func runHelp(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	man := fs.Bool("man", false, "print the manual as a page for man")
	all := fs.Bool("all", false, "print the whole manual, with every flag")
	args, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	switch {
	case len(args) == 0 && *man:
		return exitOK, manOfAll(e.stdout)
	case len(args) == 0:
		usage(e.stdout)
		return exitOK, nil
	}
	if v = verbOf(args[0]); v == nil {
		return exitUsage, usageError("unknown verb %q; pawl help lists them", args[0])
	}
	if *man {
		return exitOK, v.man(ctx, e)
	}
	return exitOK, v.manual(ctx, e, *all)
}

// manual prints the manual of a verb, which knows its flags itself, or what fits
// one screen.
func (v *verb) manual(ctx context.Context, e *env, all bool) error {
	sub := *e
	sub.manual = all
	if _, err := v.run(ctx, &sub, v, []string{"-h"}); !errors.Is(err, flag.ErrHelp) {
		return err
	}
	return nil
}

// helpWidth is how wide help is, whatever the terminal.
const helpWidth = 80

// help prints the manual of a verb, or its beginning and the flags to know first.
func (v *verb) help(e *env, fs *flag.FlagSet) {
	words := []string{"usage: pawl", v.name}
	n := 0
	fs.VisitAll(func(*flag.Flag) { n++ })
	if n > 0 {
		words = append(words, "[flags]")
	}
	if v.args != "" {
		words = append(words, v.args)
	}
	text := strings.TrimSpace(v.long)
	first, rest, _ := strings.Cut(text, "\n\n")
	if !e.manual {
		text = strings.TrimSuffix(first, ":")
		if text != first {
			text += "."
		}
	}
	fmt.Fprintf(e.stdout, "%s\n\n%s\n", strings.Join(words, " "), text)
	if e.manual && n > 0 {
		fmt.Fprintf(e.stdout, "\nFlags:\n")
		fs.VisitAll(func(f *flag.Flag) { flagHelp(e, f) })
	}
	if e.manual {
		return
	}
	shown := strings.Fields(v.flag)
	if len(shown) > 0 {
		fmt.Fprintln(e.stdout)
	}
	for _, name := range shown {
		flagHelp(e, fs.Lookup(name))
	}
	if more := others(fs, shown); more != "" {
		fmt.Fprintf(e.stdout, "\n%s\n", more)
	} else if rest == "" {
		return
	}
	fmt.Fprintf(e.stdout, "\npawl help -all %s explains all of it.\n", v.name)
}

// flagHelp prints a flag with its value, its use and its default.
func flagHelp(e *env, f *flag.Flag) {
	value, use := flag.UnquoteUsage(f)
	if value != "" {
		value = " " + value
	}
	if f.DefValue != "" && !slices.Contains([]string{"0", "false", "0s"}, f.DefValue) {
		use += " (default " + f.DefValue + ")"
	}
	head := "  -" + f.Name + value
	const indent = 18
	if len(head) < indent-1 {
		head += strings.Repeat(" ", indent-len(head))
	} else {
		head += "\n" + strings.Repeat(" ", indent)
	}
	lines := sheet.Wrap(strings.Join(strings.Fields(use), " "), helpWidth-indent)
	fmt.Fprintln(e.stdout, head+strings.Join(lines, "\n"+strings.Repeat(" ", indent)))
}

// others names the flags that are not shown.
func others(fs *flag.FlagSet, shown []string) string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(shown, f.Name) {
			names = append(names, "-"+f.Name)
		}
	})
	if len(names) == 0 {
		return ""
	}
	return strings.Join(sheet.Wrap("Also "+strings.Join(names, ", ")+".", helpWidth), "\n")
}
