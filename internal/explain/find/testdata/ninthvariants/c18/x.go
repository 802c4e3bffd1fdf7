package c18

import "bufio"

// V1 closure
type record struct {
	line   int
	level  string
	fields map[string]string
	text   string
}

func Count(sc *bufio.Scanner, parse func(string) (string, map[string]string)) map[string]int {
	records := make(chan *record, 64)
	read := func() {
		defer close(records)
		for n := 1; sc.Scan(); n++ {
			r := &record{line: n, text: sc.Text()}
			r.level, r.fields = parse(r.text)
			records <- r
		}
	}
	go read()
	counts := map[string]int{}
	for r := range records {
		counts[r.level]++
	}
	return counts
}
