package hotpath

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Load reads all records of a directory, sorted by name. No directory is no records.
// The error joins a FileError for each mistake; File in it and in the records
// is the path below dir's last two elements, as in perf/records/send.txt. A
// warning is about a file that was passed over.
func Load(dir string) ([]Record, []model.Warning, error) {
	if err := notLinked(dir); err != nil {
		return nil, nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the records: %w", err)
	}
	var records []Record
	var warnings []model.Warning
	var errs []error
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.EqualFold(filepath.Ext(name), ".md") {
			continue
		}
		if why := noRecord(e); why != "" {
			warnings = append(warnings, model.Warning{
				Seen: shown(dir, name) + " is passed over: " + why,
				Try:  "records are files NAME" + Ext + "; put other things elsewhere",
			})
			continue
		}
		r, err := load(dir, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		records = append(records, r)
	}
	sorted.By(records, func(a, b Record) int { return strings.Compare(a.Name, b.Name) })
	return records, warnings, errors.Join(errs...)
}

// noRecord says why an entry of the directory is no record; empty when it may be.
func noRecord(e fs.DirEntry) string {
	switch name := e.Name(); {
	case e.IsDir():
		return "it is a directory"
	case !e.Type().IsRegular():
		return "it is no plain file"
	case !strings.HasSuffix(name, Ext):
		return "its name does not end in " + Ext
	case !ValidName(strings.TrimSuffix(name, Ext)):
		return "its name has other characters than letters, digits, “-”, “_” and “.”"
	default:
		return ""
	}
}

// LoadOne reads the record of that name. The error wraps fs.ErrNotExist where
// there is none.
func LoadOne(dir, name string) (Record, error) {
	if err := notLinked(dir); err != nil {
		return Record{}, err
	}
	fi, err := os.Lstat(filepath.Join(dir, name+Ext))
	if err == nil && !fi.Mode().IsRegular() {
		return Record{}, &FileError{shown(dir, name+Ext), 0, "it is no plain file"}
	}
	return load(dir, name+Ext)
}

func load(dir, file string) (Record, error) {
	f, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		return Record{}, fmt.Errorf("reading a record: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return Record{}, fmt.Errorf("reading a record: %w", err)
	}
	return parse(data, shown(dir, file))
}

// shown is the path of a record as messages have it.
func shown(dir, file string) string {
	return path.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir), file)
}

// notLinked refuses a directory that is a link, or below one: it leads to where
// nobody would look for the records of this module.
func notLinked(dir string) error {
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if fi, err := os.Lstat(d); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return &FileError{shown(dir, ""), 0, fmt.Sprintf("%s is a symbolic link: make it a directory of the module", filepath.Base(d))}
		}
	}
	return nil
}

// Save writes a record into the directory, which it makes where needed, and
// returns the file's path. A reader sees the old file or the new one. What
// would not be read back as the same record is an error.
func Save(dir string, r Record) (string, error) {
	text := format(r)
	again, err := parse([]byte(text), r.Name+Ext)
	if err != nil {
		return "", fmt.Errorf("the record would not be readable: %w", err)
	}
	if format(again) != text {
		return "", fmt.Errorf("the record %s would not be read as it was written", r.Name)
	}
	if !ValidName(r.Name) {
		return "", fmt.Errorf("%q does not do as the name of a record", r.Name)
	}
	if err := notLinked(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making the directory of the records: %w", err)
	}
	file := filepath.Join(dir, r.Name+Ext)
	if err := replaceFile(file, []byte(text)); err != nil {
		return "", fmt.Errorf("writing a record: %w", err)
	}
	return file, nil
}

// replaceFile writes a file as a whole. A file that is there keeps its mode.
func replaceFile(file string, data []byte) error {
	mode := fs.FileMode(0o600)
	if fi, err := os.Lstat(file); err == nil {
		if !fi.Mode().IsRegular() {
			return fmt.Errorf("%s is there and is no plain file", filepath.Base(file))
		}
		mode = fi.Mode().Perm()
	}
	return whole.File{Path: file, Temp: ".pawl-*.tmp", Mode: mode}.Bytes(data)
}

// isLocal reports whether a path with forward slashes stays below the directory
// that it is relative to.
func isLocal(p string) bool { return filepath.IsLocal(filepath.FromSlash(p)) }
