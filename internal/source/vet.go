package source

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// A VetUnit is what the go command tells a vet tool about one package.
type VetUnit struct {
	ImportPath, Dir, GoVersion string
	ModulePath                 string
	GoFiles                    []string
	ImportMap                  map[string]string
	PackageVetx                map[string]string // files of what is imported
	VetxOnly                   bool              // only VetxOutput is asked for
	VetxOutput                 string
}

// ReadVetUnit reads the file that the go command gives to a vet tool.
func ReadVetUnit(name string) (*VetUnit, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	u := new(VetUnit)
	if err := json.Unmarshal(data, u); err != nil {
		return nil, fmt.Errorf("reading what the go command says about a package: %w", err)
	}
	return u, nil
}

// Newer reports whether the package is of a standard library that is newer than
// the type checker in this program, and only its types are asked for. Package
// unitchecker gives up on one.
func (u *VetUnit) Newer() bool {
	return u.VetxOnly && u.VetxOutput != "" && u.ModulePath == "" && !gorelease.Reads(u.GoVersion)
}

// vetxMagic begins the files in which unitchecker hands on types and facts:
// behind it are the lengths of both, and both.
const vetxMagic, vetxHeader = "vetx", 12

// WriteTypes writes the package's types in place of unitchecker, as far as this
// program can check what the package declares. It has no facts: the rules have
// a table of the standard library.
func (u *VetUnit) WriteTypes() error {
	v := &vetImporter{unit: u, fset: token.NewFileSet(), known: make(map[string]*types.Package)}
	var files []*ast.File
	for _, name := range u.GoFiles {
		if f, _ := parser.ParseFile(v.fset, name, nil, parser.SkipObjectResolution); f != nil {
			files = append(files, f)
		}
	}
	pkg := declarations(v.fset, types.SizesFor("gc", build.Default.GOARCH), u.ImportPath, files, v)
	var out bytes.Buffer
	if err := gcexportdata.Write(&out, v.fset, pkg); err != nil {
		return fmt.Errorf("writing the types of %s: %w", u.ImportPath, err)
	}
	text := out.Bytes()[1:] // the mark of the format goes without saying there
	data := binary.LittleEndian.AppendUint32([]byte(vetxMagic), uint32(len(text)))
	data = binary.LittleEndian.AppendUint32(data, 0)
	return os.WriteFile(u.VetxOutput, append(data, text...), 0o666)
}

// A vetImporter resolves imports from the files of earlier units.
type vetImporter struct {
	unit  *VetUnit
	fset  *token.FileSet
	known map[string]*types.Package
}

func (v *vetImporter) Import(path string) (*types.Package, error) {
	if to, ok := v.unit.ImportMap[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := v.known[path]; p != nil && p.Complete() {
		return p, nil
	}
	data, err := os.ReadFile(v.unit.PackageVetx[path])
	if err != nil {
		return nil, err
	}
	if len(data) < vetxHeader || string(data[:len(vetxMagic)]) != vetxMagic {
		return nil, fmt.Errorf("the types of %s: %w", path, errNoExport)
	}
	size := int(binary.LittleEndian.Uint32(data[len(vetxMagic):]))
	text := append([]byte("i"), data[vetxHeader:min(vetxHeader+size, len(data))]...)
	return gcexportdata.Read(bytes.NewReader(text), v.fset, v.known, path)
}
