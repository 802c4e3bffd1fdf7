package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// export copies the directory of a run for others to see: profiles without labels,
// comments and directories of this machine, and texts without what looks like a
// secret. What is neither stays behind, and so does the JSON of the run, which
// write puts there as it is shown. Diffs and patches are program text and are
// copied as they are.
func export(e *env, run, to string, write func(io.Writer) error) error {
	to = foreign.Path(e.dir, to)
	clean := scrub.New(e.environ)
	err := filepath.WalkDir(run, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(run, path)
		if err != nil {
			return err
		}
		var copyTo func(io.Writer, io.Reader) error
		switch filepath.Ext(rel) {
		case ".pprof":
			copyTo = scrub.CopyProfile
		case ".txt", ".md", ".sh":
			copyTo = func(w io.Writer, r io.Reader) error { return copyText(w, r, clean) }
		case ".diff", ".patch", ".html":
			copyTo = func(w io.Writer, r io.Reader) error { _, err := io.Copy(w, r); return err }
		default:
			return nil
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		return place(filepath.Join(to, rel), func(w io.Writer) error { return copyTo(w, in) })
	})
	if err == nil {
		err = place(filepath.Join(to, "run.json"), write)
	}
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

func copyText(w io.Writer, r io.Reader, clean *scrub.Scrubber) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	text, _ := clean.Text(string(data))
	_, err = io.Copy(w, strings.NewReader(text))
	return err
}

// place writes a file that only the user can read, and the directories above it.
func place(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.Close()
}
