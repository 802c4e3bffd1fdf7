package memstats

import (
	_ "embed"
	"strings"
	"testing"
)

// memText is the end of a heap profile as text, as Go 1.26 writes it.
//
//go:embed testdata/heap.txt
var memText string

func TestRead(t *testing.T) {
	m, err := Read(strings.NewReader(memText))
	if err != nil {
		t.Fatal(err)
	}
	if m.Sys != 400<<20 || m.HeapReleased != 80<<20 || m.StackSys != 10<<20 || m.MSpanInuse != 24000 || m.NumGC != 12 || m.GCCPUFraction != 0.013 || m.MaxRSS != 500<<20 {
		t.Errorf("%+v", m)
	}
	replace := func(old, new string) string { return strings.Replace(memText, old, new, 1) }
	for name, tt := range map[string]struct{ text, want string }{
		"empty":                  {"", "no Sys in the text"},
		"a page":                 {"<html>", "no Sys in the text"},
		"cut":                    {memText[:strings.Index(memText, "# HeapReleased")], "no HeapReleased"},
		"no number":              {replace("# Sys = 419430400", "# Sys = many"), `Sys = "many"`},
		"below zero":             {replace("# Sys = 419430400", "# Sys = -1"), "whole number"},
		"one figure for two":     {replace("10485760 / 10485760", "10485760"), "1 figures, want 2"},
		"a share above all":      {replace("0.013", "NaN"), "not a share"},
		"larger than the system": {replace("HeapIdle = 293601280", "HeapIdle = 993601280"), "larger than Sys"},
		"too much given back":    {replace("HeapReleased = 83886080", "HeapReleased = 393886080"), "larger than HeapIdle"},
		"no address space":       {replace("Sys = 419430400", "Sys = 9219430400419430400"), "address space"},
		"before the heading":     {strings.Replace(memText, "# runtime.MemStats", "", 1), "no Sys in the text"},
	} {
		if _, err := Read(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
	long := replace("# PauseNs = [1 2 3]", "# PauseNs = ["+strings.Repeat("0 ", 1<<20)+"]\r")
	if _, err := Read(strings.NewReader(long)); err != nil {
		t.Errorf("with a long line: %v", err)
	}
}
