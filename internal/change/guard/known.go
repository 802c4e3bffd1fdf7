package guard

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// known is what the tests and test data of the judges hold, and what the base
// holds outside of them: from the first an answer can be copied, and the
// second is not new.
type known struct {
	texts  map[string]bool // whole texts of test files, and lines of test data
	blob   []byte          // all of it, one after the other
	nums   map[string]bool // numbers, as go/constant prints them exactly
	seqs   []string        // numbers of each literal: ",1,2,3,"
	sizes  map[int64]bool  // of texts and files
	hashes map[string]string
	mask   map[string]bool // texts as they differ from their first byte

	baseTexts []string
	baseNums  map[string]bool
}

const (
	maxTestFile = 4 << 20  // bytes of one file that are read
	maxTestData = 32 << 20 // bytes of all
	leastText   = 6        // bytes of a text that is worth copying
	longText    = 16       // of one that is found inside others too
	leastSize   = 32       // of a length that tells an input from others
)

// judges reads the tests and test data of the packages that judge a change.
func judges(c Change, b *program) (*known, error) {
	k := &known{texts: map[string]bool{}, nums: map[string]bool{}, sizes: map[int64]bool{}, hashes: map[string]string{},
		mask: map[string]bool{}, baseNums: map[string]bool{}}
	dirs := slices.Clone(c.Judges)
	for _, f := range c.sources() {
		dirs = append(dirs, path.Dir(f))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := k.readDir(filepath.Join(c.Root, filepath.FromSlash(dir))); err != nil {
			return nil, fmt.Errorf("reading the tests that judge the change: %w", err)
		}
	}
	for _, lp := range b.pkgs {
		for _, f := range lp.Syntax {
			k.readBase(f)
		}
	}
	return k, nil
}

func (k *known) readDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case strings.HasSuffix(e.Name(), "_test.go"):
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			k.readTest(e.Name(), text)
		case e.IsDir() && e.Name() == "testdata":
			if err := filepath.WalkDir(at, k.readData); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *known) readData(name string, d fs.DirEntry, err error) error {
	if err != nil || !d.Type().IsRegular() {
		return err
	}
	info, err := d.Info()
	if err != nil || info.Size() > maxTestFile || len(k.blob) > maxTestData {
		if err == nil {
			k.sizes[info.Size()] = true
		}
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	k.text(string(text))
	for line := range bytes.Lines(text) {
		k.texts[strings.TrimSpace(string(line))] = true
	}
	return nil
}

// readTest takes in the texts and numbers of a test file.
func (k *known) readTest(name string, src []byte) {
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return // the check of types says so
	}
	ev := evaluator{}
	for s := range code.All[*ast.ValueSpec](f) {
		for i, id := range s.Names {
			if i < len(s.Values) {
				if v := ev.value(s.Values[i]); v != nil {
					ev[id.Name] = v
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CompositeLit:
			if s := ev.sequence(n); s != "" {
				k.seqs = append(k.seqs, s)
			}
		}
		if e, ok := n.(ast.Expr); ok {
			k.value(ev.value(e))
		}
		return true
	})
}

func (k *known) value(v constant.Value) {
	switch {
	case v == nil:
	case v.Kind() == constant.String:
		k.text(constant.StringVal(v))
	case v.Kind() == constant.Int || v.Kind() == constant.Float:
		k.nums[number(v)] = true
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok {
			k.sizes[n] = true
		}
	}
}

// number prints a number so that 2 and 2.0 are the same.
func number(v constant.Value) string {
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		return i.ExactString()
	}
	return v.ExactString()
}

func (k *known) text(s string) {
	if len(s) < leastText || k.texts[s] {
		k.texts[s] = true
		k.sizes[int64(len(s))] = true
		return
	}
	k.texts[s], k.texts[strings.TrimSpace(s)] = true, true
	k.sizes[int64(len(s))] = true
	k.mask[masked([]byte(s))] = true
	k.blob = append(append(k.blob, s...), 0)
	for _, h := range digests([]byte(s)) {
		k.hashes[h] = s
	}
}

// masked returns how the bytes of a text differ from its first one: the same
// for a text and for what comes out when all its bytes are combined with a key.
func masked(b []byte) string {
	out := make([]byte, len(b))
	for i := range b {
		out[i] = b[i] ^ b[0]
	}
	return string(out)
}

// digests returns the common hashes of an input, as numbers and in hex.
func digests(b []byte) []string {
	var out []string
	num := func(n uint64) { out = append(out, strconv.FormatUint(n, 10)) }
	num(uint64(crc32.ChecksumIEEE(b)))
	num(uint64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))))
	num(uint64(adler32.Checksum(b)))
	num(crc64.Checksum(b, crc64.MakeTable(crc64.ISO)))
	num(crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)))
	h32, h32a, h64, h64a := fnv.New32(), fnv.New32a(), fnv.New64(), fnv.New64a()
	for _, h := range []interface{ Write([]byte) (int, error) }{h32, h32a, h64, h64a} {
		_, _ = h.Write(b)
	}
	num(uint64(h32.Sum32()))
	num(uint64(h32a.Sum32()))
	num(h64.Sum64())
	num(h64a.Sum64())
	return append(out, fmt.Sprintf("%x", md5.Sum(b)), fmt.Sprintf("%x", sha1.Sum(b)), fmt.Sprintf("%x", sha256.Sum256(b)), fmt.Sprintf("%x", sha512.Sum512(b)))
}

// readBase takes in what the program itself holds in the base.
func (k *known) readBase(f *ast.File) {
	for e := range code.All[ast.Expr](f) {
		switch v := (evaluator{}).value(e); {
		case v == nil:
		case v.Kind() == constant.String:
			k.baseTexts = append(k.baseTexts, constant.StringVal(v))
		default:
			k.baseNums[number(v)] = true
		}
	}
}

// inBase reports whether the program had a text before: it is a part of one
// of its texts.
func (k *known) inBase(s string) bool {
	return slices.ContainsFunc(k.baseTexts, func(t string) bool { return strings.Contains(t, s) })
}

// says returns how the tests know a text, or "".
func (k *known) says(s string) string {
	trimmed := strings.TrimSpace(s)
	switch {
	case len(trimmed) < leastText || plainPattern(trimmed):
		return ""
	case k.texts[s] || k.texts[trimmed]:
		return "is in the tests or their data, word for word"
	case len(s) >= longText && bytes.Contains(k.blob, []byte(s)):
		return "is a part of what the tests or their data hold"
	case k.hashes[hex.EncodeToString([]byte(s))] != "", k.hashes[strings.ToLower(trimmed)] != "":
		return "is a hash of what the tests or their data hold"
	}
	return ""
}

// saysDecoded is says for a text in disguise: base64, hex, reversed, or all
// bytes combined with one key.
func (k *known) saysDecoded(s string) string {
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(s); err == nil && k.says(string(b)) != "" {
			return "is base64 of what the tests or their data hold"
		}
	}
	if b, err := hex.DecodeString(s); err == nil && k.says(string(b)) != "" {
		return "is hex of what the tests or their data hold"
	}
	if b := inflated(s); b != "" && k.says(b) != "" {
		return "is what the tests or their data hold, compressed"
	}
	r := []byte(s)
	slices.Reverse(r)
	if k.says(string(r)) != "" {
		return "is what the tests or their data hold, backwards"
	}
	if len(s) >= leastText+2 && !plainPattern(s) && k.mask[masked([]byte(s))] {
		return "is what the tests or their data hold, combined with a key"
	}
	if u, err := strconv.Unquote(`"` + s + `"`); err == nil && u != s && k.says(u) != "" {
		return "is what the tests or their data hold, escaped"
	}
	return ""
}

// inflated returns what a compressed text holds, at most a megabyte; "" for
// one that is not compressed.
func inflated(s string) string {
	for _, open := range []func(io.Reader) (io.Reader, error){
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil },
	} {
		r, err := open(strings.NewReader(s))
		if err != nil {
			continue
		}
		if b, err := io.ReadAll(io.LimitReader(r, 1<<20)); err == nil && len(b) > 0 {
			return string(b)
		}
	}
	return ""
}

// plainPattern reports whether a text is an alphabet, or of two bytes at most:
// digits, letters, blanks.
func plainPattern(s string) bool {
	rising, distinct := 0, map[byte]bool{}
	for i := range len(s) {
		distinct[s[i]] = true
		if i > 0 && s[i] == s[i-1]+1 {
			rising++
		}
	}
	return len(distinct) <= 2 || rising*10 >= (len(s)-1)*7
}
