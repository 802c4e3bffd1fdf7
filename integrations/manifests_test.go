package integrations

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
)

// The page on canaries has a manifest for Argo Rollouts and one for Flagger. Each is what
// the definition of its resource allows, of the version that the page names, and no field
// is unknown there.
func TestManifests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/canary.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	versions := regexp.MustCompile(`Argo Rollouts ([0-9.]+), Flagger ([0-9.]+)\)`).FindStringSubmatch(string(text))
	if len(blocks) != 2 || versions == nil {
		t.Fatalf("%d manifests on the page, of versions %q", len(blocks), versions)
	}
	ci, err := os.ReadFile("../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		module, file, kind string
		in                 []string // the part of the resource that the page shows; none for all
	}{
		{"github.com/argoproj/argo-rollouts@v" + versions[1], "manifests/crds/analysis-template-crd.yaml", "AnalysisTemplate", nil},
		{"github.com/fluxcd/flagger@v" + versions[2], "artifacts/flagger/crd.yaml", "Canary", []string{"properties", "spec", "properties"}},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			if !strings.Contains(string(ci), " "+tt.module) {
				t.Errorf("CI does not fetch %s, which the page names", tt.module)
			}
			schema := definition(t, cached(t, tt.module, tt.file), tt.kind)
			for _, key := range tt.in {
				schema = schema[key].(map[string]any)
			}
			if len(tt.in) > 0 {
				schema = map[string]any{"type": "object", "properties": schema}
			}
			allows := compiled(t, schema)
			manifest := parsed(t, []byte(blocks[i][1]))[0]
			if err := allows.Validate(manifest); err != nil {
				t.Errorf("%v\n%s", err, blocks[i][1])
			}
			for _, broken := range broken(manifest) {
				if allows.Validate(broken) == nil {
					t.Errorf("the schema lets pass what is wrong: %v", broken)
				}
			}
		})
	}
}

// cached returns a file of a module that is in the module cache. Nothing is fetched for it.
func cached(t *testing.T, module, file string) []byte {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=")
	out, _ := cmd.Output() // an error for a module that wants a newer Go, whose zip is there
	var at struct{ Zip string }
	if json.Unmarshal(out, &at) != nil || at.Zip == "" {
		t.Skipf("the definitions are not here; this fetches them: go mod download %s", module)
	}
	z, err := zip.OpenReader(at.Zip)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	data, err := fs.ReadFile(z, module+"/"+file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parsed returns the documents of a YAML file, as JSON has them.
func parsed(t *testing.T, data []byte) (docs []map[string]any) {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(string(data))); ; {
		var doc map[string]any
		if d.Decode(&doc) != nil {
			return docs
		}
		again, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		doc = nil
		if err := json.Unmarshal(again, &doc); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
}

// definition is the schema of a kind in a file of definitions, in its first version.
func definition(t *testing.T, data []byte, kind string) map[string]any {
	t.Helper()
	for _, doc := range parsed(t, data) {
		spec, _ := doc["spec"].(map[string]any)
		names, _ := spec["names"].(map[string]any)
		if names["kind"] != kind {
			continue
		}
		first := spec["versions"].([]any)[0].(map[string]any)
		schema := first["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		// Kubernetes has the definition of metadata itself.
		name := map[string]any{"name": map[string]any{"type": "string"}}
		schema["properties"].(map[string]any)["metadata"] = map[string]any{"type": "object", "properties": name}
		return schema
	}
	t.Fatalf("no definition of %s", kind)
	return nil
}

// compiled is a schema that refuses fields that it does not know, as kubectl does.
func compiled(t *testing.T, schema map[string]any) *jsonschema.Resolved {
	t.Helper()
	data, err := json.Marshal(strict(schema))
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// strict says in plain JSON Schema what the extensions of Kubernetes say in theirs.
func strict(x any) any {
	switch x := x.(type) {
	case []any:
		out := slices.Clone(x)
		for i := range out {
			out[i] = strict(out[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, v := range x {
			if !strings.HasPrefix(key, "x-kubernetes-") {
				out[key] = strict(v)
			}
		}
		if x["x-kubernetes-int-or-string"] == true {
			delete(out, "type")
			out["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
		}
		fields, ok := x["properties"].(map[string]any)
		if _, said := x["additionalProperties"]; ok && !said && len(fields) > 0 && x["x-kubernetes-preserve-unknown-fields"] != true {
			out["additionalProperties"] = false
		}
		return out
	}
	return x
}

// broken returns copies of a value, each with an unknown field in one of its maps, or with
// a list for one of its texts or numbers.
func broken(x any) (out []any) {
	switch x := x.(type) {
	case map[string]any:
		for key, v := range x {
			for _, b := range broken(v) {
				bad := maps.Clone(x)
				bad[key] = b
				out = append(out, bad)
			}
		}
		bad := maps.Clone(x)
		bad["nonsense"] = 1.0
		return append(out, bad)
	case []any:
		for i, v := range x {
			for _, b := range broken(v) {
				bad := slices.Clone(x)
				bad[i] = b
				out = append(out, bad)
			}
		}
		return out
	}
	return []any{[]any{}}
}
