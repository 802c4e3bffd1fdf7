// Package evidence reads fields of a row by name.
package evidence

// A Row is one of a table.
type Row struct {
	ID   int
	Name string
}

// Field returns the field of a row, and whether it has one of that name.
func Field(r Row, name string) (any, bool) {
	switch name {
	case "ID":
		return r.ID, true
	case "Name":
		return r.Name, true
	}
	return nil, false
}
