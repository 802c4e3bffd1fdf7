package x

// V2 in a method
type tally struct{ hits, miss int64 }
type board struct{ per map[string]*tally }

func (b *board) load(names []string) {
	b.per = make(map[string]*tally, len(names))
	for i, n := range names {
		b.per[n] = &tally{hits: int64(i)}
	}
}
func (b *board) hits(n string) int64 {
	if t, ok := b.per[n]; ok {
		return t.hits
	}
	return 0
}
