package data

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// A Raw is a file that a page offers to take along.
type Raw struct {
	Name  string // of the file: "run.json"
	What  string // what is in it
	Type  string // media type
	Where string // where it is on disk, for when it does not fit into the page
	Data  []byte
}

// RawJSON offers a value as JSON, as JSON writes it but for the spaces.
func RawJSON(name, what, where string, v any) (Raw, error) {
	var spaced, buf bytes.Buffer
	if err := JSON(&spaced, v); err != nil {
		return Raw{}, err
	}
	if err := json.Compact(&buf, spaced.Bytes()); err != nil {
		return Raw{}, fmt.Errorf("packing %s: %w", name, err)
	}
	return Raw{Name: name, What: what, Type: "application/json", Where: where, Data: buf.Bytes()}, nil
}

// Archive packs files into one: a reader takes all samples or none.
func Archive(name, what, where string, files []Raw, at time.Time) (Raw, error) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at})
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			return Raw{}, fmt.Errorf("packing %s: %w", f.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return Raw{}, fmt.Errorf("packing %s: %w", name, err)
	}
	return Raw{Name: name, What: what, Type: "application/zip", Where: where, Data: buf.Bytes()}, nil
}
