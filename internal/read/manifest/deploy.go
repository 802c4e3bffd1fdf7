package manifest

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// told are words: a file without any of them says nothing of how a Go
// program runs.
var told = []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "containers:", "resources:", "mem_limit"}

// deployment reads Kubernetes manifests, Helm values and compose files: all
// mappings that give a program variables or limits.
func (f *file) deployment() {
	if !slices.ContainsFunc(told, func(w string) bool { return bytes.Contains(f.Text, []byte(w)) }) || purpose(Release, path.Dir(f.File), path.Base(f.File)) != Release {
		return
	}
	for _, root := range f.documents() {
		f.programs(root, scalar(entry(root, "metadata", "name")), nil, 0)
	}
}

// variables are the keys below which a program's environment is.
var variables = []string{"env", "environment", "extraEnv", "extraEnvs", "extraEnvVars", "envVars"}

// elsewhere are the keys that take variables from other files.
var elsewhere = []string{"envFrom", "env_file", "extraEnvFrom", "envFromSecret", "envFromConfigMap"}

// maxDepth bounds how deep a file may be.
const maxDepth = 64

// programs walks a file. Labels of machines hold for all that is below them.
func (f *file) programs(n *yaml.Node, name string, nodes []Setting, depth int) {
	if n == nil || n.Kind == yaml.AliasNode || depth > maxDepth { // an alias was read where its anchor is
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			f.programs(c, name, nodes, depth+1)
		}
		return
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	if own := f.environment(entry(n, "nodeSelector")); len(own) > 0 {
		nodes = append(slices.Clone(nodes), own...)
	}
	if own := scalar(entry(n, "name")); own != "" {
		name = own
	}
	f.program(n, name, nodes)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if slices.Contains(variables, key.Value) || key.Value == "resources" {
			continue
		}
		below := name
		if value.Kind == yaml.MappingNode {
			below = key.Value
		}
		f.programs(value, below, nodes, depth+1)
	}
}

// program reads a mapping that may describe one.
func (f *file) program(n *yaml.Node, name string, nodes []Setting) {
	if slices.Contains(told, scalar(entry(n, "name"))) { // a variable that a patch adds
		alone := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}}
		f.Processes = append(f.Processes, Process{At: f.at(f.offset(n)), Env: f.environment(alone)})
		return
	}
	p := Process{At: f.at(f.offset(n)), Name: name, Nodes: nodes}
	p.Image = imageOf(entry(n, "image"))
	for _, key := range variables {
		p.Env = append(p.Env, f.environment(entry(n, key))...)
	}
	for _, key := range elsewhere {
		p.Open = p.Open || entry(n, key) != nil
	}
	for _, way := range [][]string{{"resources", "limits", "memory"}, {"deploy", "resources", "limits", "memory"}, {"mem_limit"}} {
		p.Memory = f.limit(entry(n, way...), "memory limit", p.Memory)
	}
	for _, way := range [][]string{{"resources", "limits", "cpu"}, {"deploy", "resources", "limits", "cpus"}, {"cpus"}} {
		p.CPU = f.limit(entry(n, way...), "CPU limit", p.CPU)
	}
	if slices.ContainsFunc(p.Env, func(s Setting) bool { return slices.Contains(told, s.Name) }) || p.Memory != nil || p.CPU != nil {
		f.Processes = append(f.Processes, p)
	}
}

func (f *file) limit(n *yaml.Node, name string, otherwise *Setting) *Setting {
	if scalar(n) == "" {
		return otherwise
	}
	s := f.settingOf(name, n)
	return &s
}

// imageOf is what a container runs: a name, or a mapping with one.
func imageOf(n *yaml.Node) string {
	return cmp.Or(scalar(entry(n, "repository")), scalar(n))
}

// isUnit reports whether a name is that of a service's unit, or of a file that adds
// to one.
func isUnit(name string) bool {
	return path.Ext(name) == ".service" || path.Ext(name) == ".conf" && strings.HasSuffix(path.Dir(name), ".service.d")
}

func (f *file) unit() {
	p := Process{At: f.at(0), Name: path.Base(strings.TrimSuffix(f.File, ".service"))}
	if path.Ext(f.File) == ".conf" {
		p.Name, p.Open = path.Base(strings.TrimSuffix(path.Dir(f.File), ".service.d")), true
	}
	lines, service := f.span(0, len(f.Text)).lines(), false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		for strings.HasSuffix(strings.TrimRight(line.s, "\r\n"), `\`) && i+1 < len(lines) {
			i++
			line = line.plus(lines[i])
		}
		line = line.trim()
		eq := strings.IndexByte(line.s, '=')
		switch {
		case strings.HasPrefix(line.s, "["):
			service = line.s == "[Service]"
		case !service || eq < 0 || line.s[0] == '#' || line.s[0] == ';':
		default:
			f.directive(&p, strings.TrimSpace(line.s[:eq]), line.cut(eq+1, len(line.s)))
		}
	}
	if len(p.Env) > 0 || p.Memory != nil || p.CPU != nil {
		f.Processes = append(f.Processes, p)
	}
}

func (f *file) directive(p *Process, name string, value text) {
	s := Setting{Name: name, Value: strings.TrimSpace(value.s), At: f.at(value.place(0))}
	switch name {
	case "Environment":
		for _, w := range fields(value) {
			if name, v, ok := strings.Cut(w.s, "="); ok {
				from, to := value.whole(w.start, w.end)
				p.Env = append(p.Env, Setting{Name: name, Value: v, At: f.at(value.place(w.start)), Start: from, End: to})
			}
		}
	case "EnvironmentFile":
		p.Open = true
	case "MemoryMax", "MemoryLimit":
		if s.Value != "infinity" {
			s.Name, p.Memory = "memory limit", &s
		}
	case "CPUQuota":
		s.Name, p.CPU = "CPU limit", &s
	case "ExecStart":
		p.Image, _, _ = strings.Cut(s.Value, " ")
	}
}
