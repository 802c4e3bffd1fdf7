package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	diff "github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

// jsonValues are the values that -json prints, by what prints them.
var jsonValues = []struct {
	by    string
	value any
}{
	{"optimize, try, find -bench", model.Run{}},
	{"compare, gate", model.Comparison{}},
	{"find", model.Findings{}},
	{"tune", model.Audit{}},
	{"tune -try, -pgo, -load", model.Tuning{}},
	{"tune -like", model.Likeness{}},
	{"tune -startup, -size", model.Startup{}},
	{"diagnose", model.Diagnosis{}},
	{"trace", model.Trace{}},
	{"score", model.Score{}},
	{"watch -list", []model.Watched{}},
	{"watch -canary", model.Canary{}},
	{"watch -claim", model.Claim{}},
	{"watch -overhead", model.Overhead{}},
	{"evidence", model.Evidence{}},
	{"rules", ruleList{}},
	{"log", logged{}},
	{"log -html, log -from", model.Trend{}},
	{"record -check", hotpath.Report{}},
	{"record -list", recordList{}},
	{"record", recordMade{}},
	{"bench-stub", model.Stub{}},
	{"a line of .pawl/journal.jsonl", store.Event{}},
}

// docs/json.schema.json is what the types say.
func TestSchema(t *testing.T) {
	const file = "../../docs/json.schema.json"
	s := schemas{defs: make(map[string]any), sources: make(map[string]*commentary)}
	var values []object
	for _, p := range jsonValues {
		ref := s.of(t, reflect.TypeOf(p.value), false)
		ref["title"] = p.by
		values = append(values, ref)
	}
	var got bytes.Buffer
	fmt.Fprintf(&got, `{
"$schema": "https://json-schema.org/draft/2020-12/schema",
"$id": "https://github.com/pawl-dev/pawl/blob/main/docs/json.schema.json",
"title": "What pawl prints with -json. TestSchema writes this file.",
"anyOf": %s,
"$defs": {
%s}
}
`, oneLine(t, values), s.lines(t))
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(string(want), got.String()); d != "" {
		t.Errorf("%s is stale; UPDATE=1 writes it:\n%s", file, d)
	}
}

type object = map[string]any

// schemas makes JSON schemas of types, and reads what their comments say.
type schemas struct {
	defs    map[string]any // by type
	sources map[string]*commentary
}

// of returns the schema of a type; null is one that may be that too.
func (s *schemas) of(t *testing.T, typ reflect.Type, null bool) object {
	orNull := func(kind string) any {
		if null {
			return []string{kind, "null"}
		}
		return kind
	}
	switch {
	case typ.Kind() == reflect.Pointer:
		return s.of(t, typ.Elem(), null)
	case typ.PkgPath() == "time" && typ.Kind() == reflect.Struct:
		return object{"type": "string", "format": "date-time"}
	case typ.PkgPath() != "" && typ.PkgPath() != "time" && (typ.Kind() == reflect.Struct || s.source(t, typ).values[typ.Name()] != nil):
		s.define(t, typ)
		ref := object{"$ref": "#/$defs/" + typ.String()}
		if null {
			return object{"anyOf": []object{ref, {"type": "null"}}}
		}
		return ref
	}
	switch typ.Kind() {
	case reflect.Struct:
		return s.fields(t, typ, new(commentary))
	case reflect.Slice:
		return object{"type": orNull("array"), "items": s.of(t, typ.Elem(), false)}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t, typ.Elem(), false), "minItems": typ.Len(), "maxItems": typ.Len()}
	case reflect.Map:
		return object{"type": orNull("object"), "additionalProperties": s.of(t, typ.Elem(), false)}
	case reflect.String:
		return object{"type": orNull("string")}
	case reflect.Bool:
		return object{"type": orNull("boolean")}
	case reflect.Float32, reflect.Float64:
		return object{"type": orNull("number")}
	case reflect.Interface:
		return object{}
	}
	return object{"type": orNull("integer")}
}

// define adds a named type to the definitions.
func (s *schemas) define(t *testing.T, typ reflect.Type) {
	name := typ.String()
	if s.defs[name] != nil {
		return
	}
	s.defs[name] = object{} // one that holds itself
	src := s.source(t, typ)
	def := object{"type": "string", "examples": src.values[typ.Name()]}
	switch typ.Kind() {
	case reflect.Struct:
		def = s.fields(t, typ, src)
	case reflect.String:
	default:
		def["type"] = "integer"
	}
	if text := src.comments[typ.Name()]; text != "" {
		def["description"] = text
	}
	s.defs[name] = def
}

// fields returns the schema of a struct.
func (s *schemas) fields(t *testing.T, typ reflect.Type, src *commentary) object {
	props, required := object{}, []string{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, opt, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if f.Anonymous && name == "" {
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			inner := s.fields(t, embedded, s.source(t, embedded))
			for n, p := range inner["properties"].(object) {
				props[n] = p
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		optional := strings.Contains(opt, "omit")
		prop := s.of(t, f.Type, !optional && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, f.Type.Kind()))
		if text := src.comments[typ.Name()+"."+f.Name]; text != "" {
			prop["description"] = text
		}
		props[name] = prop
		if !optional {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": props, "required": required}
}

// A commentary is what the files of a package say of its types.
type commentary struct {
	comments map[string]string   // by Type or Type.Field
	values   map[string][]string // constants of a type of strings
}

func (s *schemas) source(t *testing.T, typ reflect.Type) *commentary {
	path := typ.PkgPath()
	if src := s.sources[path]; src != nil {
		return src
	}
	src := &commentary{comments: make(map[string]string), values: make(map[string][]string)}
	s.sources[path] = src
	dir := "../.." + strings.TrimPrefix(path, "github.com/pawl-dev/pawl")
	if path == "main" {
		dir = "."
	}
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of %s: %v", path, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				src.read(d)
			}
		}
	}
	return src
}

// read takes in a declaration.
func (src *commentary) read(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			src.comments[spec.Name.Name] = said(d.Doc, spec.Doc, spec.Comment)
			st, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			group := "" // a comment on several fields names them
			for _, f := range st.Fields.List {
				if f.Doc != nil {
					group = said(f.Doc)
				}
				for _, n := range f.Names {
					text := said(f.Doc, f.Comment)
					if f.Doc == nil && slices.Contains(strings.FieldsFunc(group, notLetter), n.Name) {
						text = cmp.Or(text, group)
					}
					src.comments[spec.Name.Name+"."+n.Name] = text
				}
			}
		case *ast.ValueSpec:
			typ, ok := spec.Type.(*ast.Ident)
			for _, v := range spec.Values {
				if lit, is := v.(*ast.BasicLit); ok && is && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					src.values[typ.Name] = append(src.values[typ.Name], text)
				}
			}
		}
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// lines writes the definitions with a line for each field.
func (s *schemas) lines(t *testing.T) string {
	var defs []string
	for _, name := range slices.Sorted(maps.Keys(s.defs)) {
		def := s.defs[name].(object)
		props, _ := def["properties"].(object)
		delete(def, "properties")
		text := strings.TrimSuffix(oneLine(t, def), "}")
		if len(props) > 0 {
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(props)) {
				fields = append(fields, fmt.Sprintf("  %q: %s", field, oneLine(t, props[field])))
			}
			text += ", \"properties\": {\n" + strings.Join(fields, ",\n") + "\n }"
		}
		defs = append(defs, fmt.Sprintf(" %q: %s}", name, text))
	}
	return strings.Join(defs, ",\n") + "\n"
}

// oneLine is a value as JSON in one line.
func oneLine(t *testing.T, v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// said is what comments say, in one line.
func said(groups ...*ast.CommentGroup) string {
	var texts []string
	for _, g := range groups {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
