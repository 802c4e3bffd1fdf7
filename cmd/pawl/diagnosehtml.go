package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/url"
	"os"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

// writeDiagnosisPage writes a diagnosis with the flame graphs of its profiles
// as a page to the file name; to none when that is empty. The command stands
// on the page.
func writeDiagnosisPage(e *env, name string, d *model.Diagnosis, base, sources []diagnose.Source, own string, command []string) error {
	if name == "" {
		return nil
	}
	flames, err := diagnose.Flames(sources, base, diagnose.Options{Own: own})
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := report.DiagnosisHTML(&buf, d, report.DiagnosisExtra{Command: command, Flames: flames}); err != nil {
		return err
	}
	if err := os.WriteFile(within(e.dir, name), buf.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w; name a file in a folder that is there and can be written", err)
	}
	e.printf("pawl: the page is %s\n", name)
	return nil
}

// asked returns the command that a verb was started with, without passwords in
// its URLs.
func asked(v *verb, fs *flag.FlagSet, operands []string) []string {
	out := []string{"pawl", v.name}
	fs.Visit(func(f *flag.Flag) {
		value := f.Value.String()
		switch b, ok := f.Value.(interface{ IsBoolFlag() bool }); {
		case !ok || !b.IsBoolFlag():
			out = append(out, "-"+f.Name, public(value))
		case value == "true":
			out = append(out, "-"+f.Name)
		default:
			out = append(out, "-"+f.Name+"="+value)
		}
	})
	for _, o := range operands {
		out = append(out, public(o))
	}
	return out
}

// public takes the password out of a URL.
func public(target string) string {
	if u, err := url.Parse(target); err == nil && diagnose.IsURL(target) {
		return u.Redacted()
	}
	return target
}
