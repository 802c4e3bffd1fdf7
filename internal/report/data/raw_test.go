package data

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestArchive(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	a, err := Archive("samples.zip", "Samples.", "/runs/1/samples", []Raw{{Name: "X.final.base.txt", Data: []byte("BenchmarkX 1 1 ns/op\n")}}, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(a.Data), int64(len(a.Data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("X.final.base.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := io.ReadAll(f); err != nil || string(data) != "BenchmarkX 1 1 ns/op\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
}

// The run that a page carries is one that programs can read, whatever its
// figures.
func TestRawJSON(t *testing.T) {
	r := specimen.Run()
	r.Attempts[0].Verdicts[0].Lo = math.Inf(-1)
	raw, err := RawJSON("run.json", "All.", "", r)
	if err != nil {
		t.Fatal(err)
	}
	var back model.Run
	if err := json.Unmarshal(raw.Data, &back); err != nil || len(back.Attempts) != len(r.Attempts) {
		t.Errorf("%d attempts of %d, %v", len(back.Attempts), len(r.Attempts), err)
	}
}
