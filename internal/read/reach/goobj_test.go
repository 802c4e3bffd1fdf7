package reach

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// compiledFile compiles a small package and returns its archive.
func compiledFile(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"p.go": "package p\n\ntype T struct{ n int }\n\nfunc (t *T) M() int { return t.n }\n\ntype I interface{ M() int }\n\nvar V I = &T{3}\n\nfunc F(i I) (int, string) { return i.M(), \"text\" }\n"})
	out := filepath.Join(dir, "p.a")
	cmd := exec.Command("go", "tool", "compile", "-p=p", "-pack", "-o", out, "p.go")
	cmd.Dir = dir
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("compiling: %v\n%s", err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParseArchive(t *testing.T) {
	t.Parallel()
	a, err := parseArchive(compiledFile(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.units) != 1 || a.host {
		t.Fatalf("got %d objects, foreign code %v; want one, and none", len(a.units), a.host)
	}
	u := a.units[0]
	local := func(e edge) string {
		if int(e.to) < len(u.syms)-1 {
			return u.syms[e.to].name
		}
		return u.ext[int(e.to)-len(u.syms)+1].name
	}
	got := make(map[string]bool)
	for i := range len(u.syms) - 1 {
		for _, e := range u.edges[u.syms[i].edges:u.syms[i+1].edges] {
			got[fmt.Sprintf("%s -%d> %s", u.syms[i].name, e.kind(), local(e))] = true
		}
	}
	for _, want := range []string{
		fmt.Sprintf("p.F -%d> type:p.I", ifaceMethod),
		fmt.Sprintf("p.F -%d> go:string.\"text\"", plain),
		fmt.Sprintf("type:*p.T -%d> p.(*T).M", method),
		fmt.Sprintf("go:itab.*p.T,p.I -%d> p.(*T).M", weak),
		fmt.Sprintf("p.V -%d> go:itab.*p.T,p.I", plain),
		fmt.Sprintf("p.V -%d> type:p.I", typeOf),
	} {
		if !got[want] {
			t.Errorf("no edge %s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// What is cut off anywhere is an error and not less code.
func TestTruncated(t *testing.T) {
	t.Parallel()
	data := compiledFile(t)
	for n := 0; n < len(data)-1; n += 1 + n/500 {
		if _, err := parseArchive(data[:n]); err == nil && !bytes.HasSuffix(data[:n], []byte("\n$$\n")) {
			// The end of the export data is where a shorter archive ends well;
			// it has no object.
			t.Fatalf("the first %d of %d bytes are no error", n, len(data))
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	t.Parallel()
	data := compiledFile(t)
	for old, new := range map[string]string{" go1.2": " go9.9", "\x00go120ld": "\x00go999ld"} {
		if _, err := parseArchive(bytes.ReplaceAll(data, []byte(old), []byte(new))); err == nil {
			t.Errorf("%q is no error", new)
		}
	}
}

// readObject does with an object what is done with one of a binary.
func readObject(data []byte) {
	release, _ := gorelease.Of(runtime.Version())
	u, err := parseObject(data, release.Exported)
	if err != nil {
		return
	}
	c, err := link("p", nil, []compiled{{part{path: "p"}, &archive{units: []*unit{u}}}}, nil)
	if err == nil {
		c.Changed(c, "F")
	}
}

// Damage gives an error, or whatever the object says now; never a panic, and
// no more memory than a small multiple of its size.
func TestDamaged(t *testing.T) {
	_, object, _ := bytes.Cut(compiledFile(t), []byte(magic))
	object = append([]byte(magic), object...)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		bad := bytes.Clone(object)
		for range 1 + r.IntN(4) {
			at := r.IntN(len(bad))
			if r.IntN(2) == 0 {
				at = r.IntN(headerSize)
			}
			bad[at] ^= 1 << r.IntN(8)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readObject(bad)
		runtime.ReadMemStats(&after)
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(100*len(bad)+1<<20); used > limit {
			t.Fatalf("%d bytes for an object of %d", used, len(bad))
		}
	}
}

func FuzzParseObject(f *testing.F) {
	_, object, _ := bytes.Cut(compiledFile(f), []byte(magic))
	f.Add(append([]byte(magic), object...))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) { readObject(data) })
}

func FuzzParseArchive(f *testing.F) {
	f.Add([]byte("!<arch>\n"))
	f.Add([]byte("!<arch>\n_go_.o          0           0     0     644     34        `\ngo object linux amd64 go1.26.8\n!\n\x00go"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := parseArchive(data); err == nil && len(a.units) == 0 {
			t.Error("no objects, and no error")
		}
	})
}
