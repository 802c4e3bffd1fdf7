package main

import (
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	s := newShop(2000)
	found, err := s.search("QA")
	if err != nil || found != "QA-0016 2.12\nQA-0692 4.44\nQA-1368 6.76\n" {
		t.Errorf("%q, %v", found, err)
	}
	if all, _ := s.search("Q"); strings.Count(all, "\n") != 77 {
		t.Errorf("%d items", strings.Count(all, "\n"))
	}
	for _, bad := range []string{"", "q", "QQQ", "Q-00000"} {
		if _, err := s.search(bad); err == nil {
			t.Errorf("%q is no prefix", bad)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s := newShop(2000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.search("Q"); err != nil {
			b.Fatal(err)
		}
	}
}
