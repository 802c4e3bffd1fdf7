package c49

import "runtime/debug"

type Batch struct {
	Rows [][]string
}

// V1 method and two functions, deferred
type Importer struct {
	in   chan Batch
	rows map[string]int
}

func (im *Importer) Run() {
	for b := range im.in {
		im.ingest(b)
	}
}

func (im *Importer) ingest(b Batch) {
	defer debug.FreeOSMemory()
	for _, row := range b.Rows {
		if len(row) > 0 {
			im.rows[row[0]]++
		}
	}
}
