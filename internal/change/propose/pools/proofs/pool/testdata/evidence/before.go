// Package evidence hands on records one at a time.
package evidence

// A Record is what is handed on.
type Record struct {
	Name   string
	Values [8]int
}

// A Sink takes records.
type Sink interface {
	// Put takes records. It must not retain the slice.
	Put(records []Record) error
}

// A Sum is a Sink that adds up what it is given.
type Sum struct{ N int }

// Put adds up the values of the records.
func (s *Sum) Put(records []Record) error {
	for _, r := range records {
		s.N += len(r.Name)
		for _, v := range r.Values {
			s.N += v
		}
	}
	return nil
}

// A Processor hands each record to its sink.
type Processor struct{ Sink Sink }

// Emit hands on a record.
func (p *Processor) Emit(r *Record) error {
	return p.Sink.Put([]Record{*r}) // target
}
