package main

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/run/diagnose"
)

// The command on a page names what was set, and no password.
func TestAsked(t *testing.T) {
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.Bool("json", false, "")
	fs.Bool("quiet", true, "")
	fs.Int("seconds", 0, "")
	fs.String("base", "", "")
	fs.String("own", "", "")
	if err := fs.Parse([]string{"-seconds", "30", "-json", "-quiet=false", "-base", "https://me:secret@host/debug/pprof", "cpu.pprof"}); err != nil {
		t.Fatal(err)
	}
	g := diagnosing{Options: diagnose.Options{Targets: append(fs.Args(), "http://me:secret@host/debug/pprof/heap?gc=1", "a:b@c", "http://%zz")}}
	got := g.asked(&verb{name: "diagnose"}, fs)
	want := []string{"pawl", "diagnose", "-base", "https://me:xxxxx@host/debug/pprof", "-json", "-quiet=false", "-seconds", "30", "cpu.pprof",
		"http://me:xxxxx@host/debug/pprof/heap?gc=1", "a:b@c", "http://…"} // of what is no URL, nobody knows what is secret
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
}
