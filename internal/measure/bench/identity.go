package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An Identity is what a benchmark is, beyond its name: a benchmark that was
// edited keeps its name and measures something else. It covers the package's
// test files and its directory testdata. The code under test is not in it, nor
// helpers in other packages.
type Identity struct {
	Hash string // of all that follows but the notes; hex
	// Decls has the benchmark's declaration and those in test files that it
	// mentions, however indirectly: "func BenchmarkX", "var corpus",
	// "type node", "method node.walk", "import math/rand". TestMain, functions
	// init and blank imports are always in it. Where the package has internal
	// and external test files, what is not in the benchmark's own is qualified:
	// "func wire.helper", "func wire_test.init".
	Decls map[string]string
	// Data has the files below testdata, and those that the declarations embed,
	// by their path from the package's directory.
	Data map[string]string
	// Notes say what was not looked at.
	Notes []string
}

// Identify finds out what the benchmark function bm is: a top-level function of
// one of the given test files, which are named as in the package's directory dir.
//
// What is hashed of a declaration are its tokens, without comments and layout,
// but with directives such as //go:noinline. What it mentions is found by name:
// a local variable that is named like a package variable counts as a mention of
// it, so that a change is said once too often rather than once too seldom.
// Methods of a mentioned type are in, called or not. A test file that does not
// parse is an error that names it, and so is a benchmark that is not there.
func Identify(dir string, files []string, bm string) (Identity, error) {
	bm, _, _ = strings.Cut(bm, "/")
	tests, err := readTests(dir, files)
	if err != nil {
		return Identity{}, fmt.Errorf("finding out what %s is: %w", bm, err)
	}
	found := tests.reach(bm)
	if found == nil {
		return Identity{}, fmt.Errorf("finding out what %s is: none of the test files in %s declares it", bm, dir)
	}
	texts := make(map[string][]string) // more than one of functions init, and of files for different systems
	var embeds []string
	for _, d := range found {
		label := d.label(found[0].pkg)
		texts[label] = append(texts[label], d.text)
		embeds = append(embeds, d.embeds...)
	}
	id := Identity{Decls: make(map[string]string, len(texts))}
	for label, t := range texts {
		slices.Sort(t)
		id.Decls[label] = digest(t...)
	}
	id.Data, id.Notes = hashData(dir, embeds)
	id.Hash = digest(append(flat(id.Decls), flat(id.Data)...)...)
	return id, nil
}

// Diff names what differs between two identities, or is in one of them only:
// keys of Decls and Data, sorted.
func (i Identity) Diff(o Identity) []string {
	var out []string
	for _, pair := range [][2]map[string]string{{i.Decls, o.Decls}, {i.Data, o.Data}} {
		for name, hash := range pair[0] {
			if pair[1][name] != hash {
				out = append(out, name)
			}
		}
		for name := range pair[1] {
			if _, both := pair[0][name]; !both {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// digest returns a hash of texts in their order.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d %s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// flat returns a map's keys and values, by key.
func flat(m map[string]string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k, m[k])
	}
	return out
}

// dataLimit is how many bytes of data are read. Of more than that only names
// and sizes count.
const dataLimit = 64 << 20

// hashData hashes the files below dir/testdata and those that patterns of
// //go:embed match. What cannot be read is noted: the benchmark may not need
// it, and says so itself if it does.
func hashData(dir string, patterns []string) (data map[string]string, notes []string) {
	root := os.DirFS(dir)
	sizes := make(map[string]int64)
	walk := func(top string) {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			// Stat follows links; a link to a directory is hashed by where it leads.
			info, err := fs.Stat(root, name)
			switch {
			case err == nil && info.Mode().IsRegular():
				sizes[name] = info.Size()
			case d.Type()&fs.ModeSymlink != 0:
				sizes[name] = 0
			}
			return nil
		})
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s was not looked at: %v", top, err))
		}
	}
	if _, err := fs.Stat(root, "testdata"); err == nil {
		walk("testdata")
	}
	for _, p := range patterns {
		matches, err := fs.Glob(root, path.Clean(strings.TrimPrefix(p, "all:")))
		if err != nil || len(matches) == 0 {
			notes = append(notes, fmt.Sprintf("nothing was found for //go:embed %s", p))
		}
		for _, m := range matches {
			walk(m)
		}
	}
	var total int64
	for _, size := range sizes {
		total += size
	}
	if total > dataLimit {
		notes = append(notes, fmt.Sprintf("%d MB of test data are compared by name and size only", total>>20))
	}
	data = make(map[string]string, len(sizes))
	for name, size := range sizes {
		if total > dataLimit {
			data[name] = fmt.Sprintf("%d bytes", size)
			continue
		}
		hash, err := hashFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s was not read: %v", name, err))
			continue
		}
		data[name] = hash
	}
	slices.Sort(notes)
	return data, notes
}

// hashFile hashes a file's content, or where a link leads that is to none.
func hashFile(name string) (string, error) {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		to, err := os.Readlink(name)
		return digest("link", to), err
	}
	content, err := os.ReadFile(name)
	return digest(string(content)), err
}
