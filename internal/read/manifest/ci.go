package manifest

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// workflow reads the jobs of a GitHub workflow.
func (f *file) workflow() {
	for _, root := range f.documents() {
		outer := f.environment(entry(root, "env"))
		pairs(entry(root, "jobs"), func(id, job *yaml.Node) {
			env := append(slices.Clone(outer), f.environment(entry(job, "env"))...)
			for _, step := range items(entry(job, "steps")) {
				run := entry(step, "run")
				if run == nil || !posix(scalar(entry(step, "shell"))) {
					continue
				}
				to := purpose(Check, id.Value, scalar(entry(job, "name")), path.Base(f.File), scalar(entry(root, "name")))
				if of := purpose(to, scalar(entry(step, "name"))); of != Release { // a step of a release may be for something else
					to = of
				}
				f.shell(f.scalarText(run).without("${{", "}}"), script{
					name: id.Value, env: append(slices.Clone(env), f.environment(entry(step, "env"))...), purpose: to,
				})
			}
		})
	}
}

func posix(shell string) bool {
	return shell == "" || strings.HasPrefix(shell, "bash") || strings.HasPrefix(shell, "sh")
}

// pipelines are names of files, and of directories of files, of other CI services.
var pipelines = []string{
	".gitlab-ci", ".circleci/", ".travis.", ".drone.", ".woodpecker", ".buildkite/", ".cirrus.", "azure-pipelines", ".azure-pipelines/",
	"bitbucket-pipelines", ".semaphore/", "appveyor.",
}

func isPipeline(name string) bool {
	return isYAML(name) && slices.ContainsFunc(pipelines, func(p string) bool { return strings.Contains("/"+name, "/"+p) })
}

// isTasks reports whether a name is that of a file of go-task.
func isTasks(name string) bool {
	base := strings.ToLower(path.Base(name))
	return isYAML(name) && (strings.HasPrefix(base, "taskfile.") || strings.HasSuffix(strings.TrimSuffix(base, path.Ext(base)), "taskfile"))
}

// pipeline reads what most CI services and go-task have in common: somewhere below
// the name of a job stand commands for the shell, with variables beside or above them.
func (f *file) pipeline() {
	for _, root := range f.documents() {
		f.job(root, job{}, 0)
	}
}

// A job is what is known above a place in a pipeline.
type job struct {
	names []string // the innermost first
	env   []Setting
}

// job reads a mapping and what is below it.
func (f *file) job(n *yaml.Node, of job, depth int) {
	if n == nil || n.Kind == yaml.AliasNode || depth > maxDepth {
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			f.job(c, of, depth+1)
		}
		return
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	for _, key := range []string{"name", "displayName", "label", "stage"} {
		if name := scalar(entry(n, key)); name != "" {
			of.names = slices.Concat([]string{name}, of.names)
		}
	}
	of.env = slices.Clone(of.env)
	for _, key := range []string{"variables", "environment", "env"} {
		of.env = append(of.env, f.environment(entry(n, key))...)
	}
	f.commands(n, of)
	for i := 0; i+1 < len(n.Content); i += 2 {
		below := of
		if n.Content[i+1].Kind == yaml.MappingNode {
			below.names = slices.Concat([]string{n.Content[i].Value}, of.names)
		}
		f.job(n.Content[i+1], below, depth+1)
	}
}

// commands reads the shell of one mapping, whose lines are one script.
func (f *file) commands(n *yaml.Node, of job) {
	var all text
	for _, key := range []string{"before_script", "before_install", "install", "run", "script", "bash", "command", "commands", "cmd", "cmds"} {
		for _, line := range items(entry(n, key)) {
			if line != nil && line.Kind == yaml.ScalarNode {
				all = all.plus(f.scalarText(line)).plus(fixed("\n", f.offset(line)))
			}
		}
	}
	name := ""
	if len(of.names) > 0 {
		name = of.names[0]
	}
	to := purpose(Check, append(slices.Clone(of.names), path.Base(f.File), path.Dir(f.File))...)
	f.shell(all.without("${{", "}}").without("{{", "}}"), script{name: name, env: of.env, purpose: to})
}

// goreleaser reads the builds of a goreleaser configuration, or of ko, which has
// them alike and adds flags of its own.
func (f *file) goreleaser() {
	for _, root := range f.documents() {
		outer := f.environment(entry(root, "env"))
		for _, b := range items(entry(root, "builds")) {
			if builder := scalar(entry(b, "builder")); builder == "" || builder == "go" {
				f.released(b, outer)
			}
		}
	}
}

// released reads one build of goreleaser.
func (f *file) released(n *yaml.Node, outer []Setting) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 || scalar(entry(n, "skip")) == "true" {
		return
	}
	b := Build{At: f.at(f.offset(n)), Open: f.Kind == "ko", Name: scalar(entry(n, "id")), Env: append(slices.Clone(outer), f.environment(entry(n, "env"))...)}
	b.Purpose = purpose(Release, b.Name, scalar(entry(n, "binary")), path.Base(f.File))
	if b.Purpose == Check {
		b.Purpose = Release // what is called local is released, too
	}
	if main := path.Join(scalar(entry(n, "dir")), scalar(entry(n, "main"))); main != "" {
		b.Packages = []string{main}
	}
	flags := entry(n, "flags")
	list := items(flags)
	for i := 0; i < len(list); i++ {
		s := f.settingOf("", list[i])
		name, value, valued := strings.Cut("-"+strings.TrimLeft(s.Value, "-"), "=")
		s.Start, s.End = f.wholeLine(s.Start, s.End)
		switch {
		case valued:
		case i+1 < len(list) && !slices.Contains(switches, name) && !strings.Contains(name, unknown):
			i++ // its value is the next item, so that it is no line to take out
			next := f.settingOf("", list[i])
			value, s.Open, s.Start, s.End = next.Value, s.Open || next.Open, 0, 0
		default:
			value = "true"
		}
		s.Name, s.Value = name, value
		b.Flags = append(b.Flags, s)
		b.Open = b.Open || s.Open
	}
	for _, key := range []string{"ldflags", "gcflags", "asmflags", "tags"} {
		var all []string
		var first *Setting
		for _, item := range items(entry(n, key)) {
			s := f.settingOf("-"+key, item)
			if all = append(all, s.Value); first == nil {
				first = &s
			}
		}
		if first != nil {
			first.Value, first.Start, first.End = strings.Join(all, map[bool]string{true: ",", false: " "}[key == "tags"]), 0, 0
			b.Flags = append(b.Flags, *first)
		}
	}
	var levels []string
	for _, item := range items(entry(n, "goamd64")) {
		levels = append(levels, item.Value)
	}
	if len(levels) > 0 {
		at := entry(n, "goamd64")
		b.Env = append(b.Env, Setting{Name: "GOAMD64", Value: slices.Min(levels), At: f.at(f.offset(at))})
	}
	b.Insert = f.flagsInsert(n, flags)
	f.Builds = append(f.Builds, b)
}

// wholeLine widens a part of a list's item to its line, where it has that for
// itself.
func (f *file) wholeLine(start, end int) (from, to int) {
	if end == 0 {
		return 0, 0
	}
	from, to = start, end
	for from > 0 && f.Text[from-1] != '\n' {
		from--
	}
	for to < len(f.Text) && f.Text[to] != '\n' {
		to++
	}
	line := strings.Trim(string(f.Text[from:to]), " -\t\r\"'")
	if line != strings.Trim(string(f.Text[start:end]), " -") || to == len(f.Text) {
		return 0, 0
	}
	return from, to + 1
}

// flagsInsert is where goreleaser takes one more flag: before the first one of the
// list, or in a new list before the first key.
func (f *file) flagsInsert(build, flags *yaml.Node) Insert {
	indent := "\n" + strings.Repeat(" ", build.Column-1)
	switch {
	case build.Style&yaml.FlowStyle != 0:
		return Insert{}
	case flags == nil:
		return Insert{At: f.offset(build), Before: "flags:" + indent + "  - ", After: indent}
	case flags.Kind != yaml.SequenceNode || flags.Style&yaml.FlowStyle != 0 || len(flags.Content) == 0:
		return Insert{}
	}
	at := f.offset(flags)
	return Insert{At: at, Before: "- ", After: "\n" + strings.Repeat(" ", flags.Column-1)}
}
