package c01

type Row struct {
	ID   int64
	Name string
}

// V1 method, named result that is set first
type Table struct {
	rows []Row
}

func (t *Table) ByID() (byID map[int64]*Row) {
	byID = make(map[int64]*Row)
	for i := range t.rows {
		r := &t.rows[i]
		byID[r.ID] = r
	}
	return byID
}
