package reach

import (
	"flag"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

var releases = flag.Bool("releases", false, "read what all known Go releases on this machine write, and not only what this one does")

// What each known release on this machine writes is read with the same
// findings, and what its linker keeps is reached.
func TestReleases(t *testing.T) {
	t.Parallel()
	if !*releases {
		t.Skip("builds with other releases; -releases runs it")
	}
	for _, release := range slices.Sorted(maps.Keys(toolchains(t))) {
		t.Run(release, func(t *testing.T) {
			env := "GOTOOLCHAIN=" + release
			testKinds(t, env)
			dir := t.TempDir()
			write(t, dir, program)
			if reachesLinked(t, open(t, dir, env)) < 3000 {
				t.Error("too few symbols were found again")
			}
		})
	}
}

// The numbers are those of the source of each known release on this machine.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for release, root := range toolchains(t) {
		t.Run(release, func(t *testing.T) {
			known, _ := gorelease.Of(release)
			is := numbers(t, root, "objabi/reloctype.go", "objabi/symkind.go", "goobj/objfile.go")
			for name, n := range map[string]int64{
				"R_USEFIELD": rUseField, "R_USETYPE": rUseType, "R_USEIFACE": rUseIface, "R_USEIFACEMETHOD": rUseIfaceMethod,
				"R_USENAMEDMETHOD": rUseNamedMethod, "R_METHODOFF": rMethodOff, "R_WEAK": rWeak,
				"STEXT": kindText, "STEXTFIPS": kindTextFIPS, "SDWARFCUINFO": kindDebug, "SDWARFLINES": kindDebugEnd,
				"SymSize": symSize, "RelocSize": relocSize, "AuxSize": auxSize, "RefFlagsSize": flagsSize, "SymABIstatic": abiStatic,
				"PkgIdxNone": pkgNone, "PkgIdxHashed64": pkgHashed64, "PkgIdxHashed": pkgHashed, "PkgIdxBuiltin": pkgBuiltin, "PkgIdxSelf": pkgSelf,
				"BlkAutolib": blkAutolib, "BlkPkgIdx": blkPkg, "BlkSymdef": blkSym, "BlkHashed64def": blkHashed64, "BlkHasheddef": blkHashed,
				"BlkNonpkgdef": blkNonpkg, "BlkNonpkgref": blkNonpkgRef, "BlkRefFlags": blkRefFlags, "BlkRelocIdx": blkRelocIdx,
				"BlkAuxIdx": blkAuxIdx, "BlkDataIdx": blkDataIdx, "BlkReloc": blkReloc, "BlkAux": blkAux, "BlkData": blkData, "NBlk": blocks,
				"AuxGotype": auxType, "AuxFuncdata": auxFuncdata, "AuxPcsp": auxStack, "AuxPcdata": auxTables,
				"ObjFlagFromAssembly": 1 << 2, "SymFlagReflectMethod": 1 << 5, "SymFlagGoType": 1 << 6,
				"SymFlagUsedInIface": 1, "SymFlagItab": 1 << 1, "SymFlagWasmExport": int64(known.Exported),
			} {
				if got, ok := is[name]; !ok || got != n {
					t.Errorf("%s is %d there (known: %v), and %d here", name, got, ok, n)
				}
			}
		})
	}
}

// toolchains returns the roots of the known releases on this machine.
func toolchains(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	more, _ := filepath.Glob(filepath.Join(lines[1], "golang.org", "toolchain@*"+runtime.GOOS+"-"+runtime.GOARCH))
	roots := make(map[string]string)
	for _, root := range append(more, lines[0]) {
		text, err := os.ReadFile(filepath.Join(root, "VERSION"))
		release, _, _ := strings.Cut(string(text), "\n")
		if _, known := gorelease.Of(release); err == nil && known {
			roots[release] = root
		}
	}
	return roots
}

// numbers returns the constants of some files below cmd/internal; of a
// relocation's type, the bits in the file.
func numbers(t *testing.T, root string, names ...string) map[string]int64 {
	t.Helper()
	out := make(map[string]int64)
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(root, "src", "cmd", "internal", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Error: func(error) {}} // imports are not there
		pkg, _ := conf.Check("p", fset, []*ast.File{f}, nil)
		for _, id := range pkg.Scope().Names() {
			if c, ok := pkg.Scope().Lookup(id).(*types.Const); ok && c.Val().Kind() == constant.Int {
				n, _ := constant.Int64Val(c.Val())
				if strings.HasPrefix(id, "R_") {
					n &= 1<<16 - 1
				}
				out[id] = n
			}
		}
	}
	return out
}
