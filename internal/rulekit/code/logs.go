package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// A LogCall is a call that writes a line to a logger with levels.
type LogCall struct {
	Cur    inspector.Cursor
	Call   *ast.CallExpr
	Logger ast.Expr // nil for the functions of a package
	Slog   bool     // a *slog.Logger, or the functions of log/slog
	Name   string   // of the function: "DebugContext"
	Level  string   // "Debug" for trace and debug lines, else "Info"
}

// loggers are the loggers that the rules know, with the endings of their
// functions' names: Debug, Debugf and so on.
var loggers = []struct {
	pkg, typ string // no type: functions of the package
	suffixes []string
	trace    bool
}{
	{"log/slog", "Logger", []string{"", "Context"}, false},
	{"log/slog", "", []string{"", "Context"}, false},
	{"go.uber.org/zap", "Logger", []string{""}, false},
	{"go.uber.org/zap", "SugaredLogger", []string{"", "f", "w", "ln"}, false},
	{"github.com/sirupsen/logrus", "", []string{"", "f", "ln"}, true},
	{"github.com/sirupsen/logrus", "Logger", []string{"", "f", "ln"}, true},
	{"github.com/sirupsen/logrus", "Entry", []string{"", "f", "ln"}, true},
}

// LogCalls returns the calls that log at debug or trace level ("Debug") or at
// info level ("Info").
func LogCalls(ix *index.Index, info *types.Info, level string) iter.Seq[LogCall] {
	return func(yield func(LogCall) bool) {
		for _, l := range loggers {
			names := []string{level}
			if l.trace && level == "Debug" {
				names = append(names, "Trace")
			}
			var all []string
			for _, name := range names {
				for _, suffix := range l.suffixes {
					all = append(all, name+suffix)
				}
			}
			slog := l.pkg == "log/slog"
			if slog {
				all = append(all, "Log", "LogAttrs")
			}
			for _, name := range all {
				for cur, call := range functions(ix, l.pkg, l.typ, name) {
					c := LogCall{Cur: cur, Call: call, Slog: slog, Name: name, Level: level}
					if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && l.typ != "" {
						c.Logger = sel.X
					}
					if c.hasLevel(info) && !yield(c) {
						return
					}
				}
			}
		}
	}
}

func functions(ix *index.Index, pkg, typ, name string) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	if typ == "" {
		return ix.Calls(pkg, name)
	}
	return ix.Method(pkg, typ, name)
}

// hasLevel reports whether slog's Log and LogAttrs are called with a constant
// of the level; the names of the others say it.
func (l LogCall) hasLevel(info *types.Info) bool {
	if l.Name != "Log" && l.Name != "LogAttrs" || !l.Slog {
		return true
	}
	if len(l.Call.Args) < 3 {
		return false
	}
	tv := info.Types[l.Call.Args[1]]
	if tv.Value == nil || tv.Value.Kind() != constant.Int {
		return false
	}
	n, ok := constant.Int64Val(tv.Value)
	return ok && (n < 0) == (l.Level == "Debug") && n < 4
}

// Asks finds names by which code asks for a level or a debugging switch.
var asks = regexp.MustCompile(`(?i)enabled|debug|verbos|trace|level|lvl|dump`)

// inquires finds functions that only someone who looks into the program calls. A trace or a
// level in a name may be of each request.
var inquires = regexp.MustCompile(`(?i)enabled|debug|verbos|dump`)

// Rare reports whether the line is written only when someone asked, or when
// something went wrong: in a branch that looks at a level, a debugging switch
// or an error, behind an if that leaves otherwise, in a function that recovers,
// or in one that is named for debugging.
func (l LogCall) Rare(info *types.Info) bool { return Rare(info, l.Cur) }

// Rare is [LogCall.Rare] for any code.
func Rare(info *types.Info, cur inspector.Cursor) bool {
	child := cur
	for p := cur.Parent(); p.Valid() && p.Node() != nil; child, p = p, p.Parent() {
		switch n := p.Node().(type) {
		case *ast.IfStmt:
			if (child.Node() == n.Body || child.Node() == n.Else) && (special(info, n.Cond) || n.Init != nil && special(info, n.Init)) {
				return true
			}
		case *ast.CaseClause:
			for _, x := range n.List {
				if special(info, x) {
					return true
				}
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && child.Node() == n.Body && special(info, n.Tag) {
				return true
			}
		case *ast.BlockStmt:
			if leftBefore(info, n, child.Node()) {
				return true
			}
		case *ast.FuncLit:
			if recovers(info, n.Body) {
				return true
			}
		case *ast.FuncDecl:
			return inquires.MatchString(n.Name.Name) || recovers(info, n.Body)
		}
	}
	return false
}

// leftBefore reports whether an if before a statement of a block looks at a
// level, a switch or an error, and leaves at its end.
func leftBefore(info *types.Info, b *ast.BlockStmt, stmt ast.Node) bool {
	for _, s := range b.List {
		if s.Pos() >= stmt.Pos() {
			break
		}
		i, ok := s.(*ast.IfStmt)
		if !ok || len(i.Body.List) == 0 || aboutError(info, i.Cond) {
			continue // what follows an error check is the ordinary way
		}
		switch i.Body.List[len(i.Body.List)-1].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			if special(info, i.Cond) {
				return true
			}
		}
	}
	return false
}

func aboutError(info *types.Info, n ast.Node) bool {
	return Any(n, func(x ast.Expr) bool {
		return IsError(info.TypeOf(x))
	})
}

func special(info *types.Info, n ast.Node) bool {
	return aboutError(info, n) ||
		Any(n, func(id *ast.Ident) bool {
			return asks.MatchString(id.Name) || info.Uses[id] == types.Universe.Lookup("recover")
		})
}

func recovers(info *types.Info, body *ast.BlockStmt) bool {
	return Here(body, func(id *ast.Ident) bool { return info.Uses[id] == types.Universe.Lookup("recover") }) != nil
}

// DebugIsOn reports whether the package sets a logger's level to debug by a
// constant, without a condition, so that its debug lines are meant to be
// written.
func DebugIsOn(ix *index.Index) bool {
	for _, obj := range []types.Object{
		ix.Object("log/slog", "LevelDebug"), ix.Object("github.com/sirupsen/logrus", "DebugLevel"), ix.Object("github.com/sirupsen/logrus", "TraceLevel"),
	} {
		if obj == nil {
			continue
		}
		for _, cur := range ix.Uses(obj) {
			if sets(cur) && !Conditional(cur) {
				return true
			}
		}
	}
	for _, name := range []string{"NewDevelopment", "NewDevelopmentConfig"} {
		for cur := range ix.Calls("go.uber.org/zap", name) {
			if !Conditional(cur) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a level is the value of a field Level or the argument
// of SetLevel, SetLogLoggerLevel or Set.
func sets(cur inspector.Cursor) bool {
	p := cur.Parent()
	if sel, ok := p.Node().(*ast.SelectorExpr); ok && sel.Sel == cur.Node() {
		p = p.Parent()
	}
	switch n := p.Node().(type) {
	case *ast.KeyValueExpr:
		id, ok := n.Key.(*ast.Ident)
		return ok && id.Name == "Level"
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		return name == "SetLevel" || name == "SetLogLoggerLevel" || name == "Set"
	}
	return false
}

// Feeders returns the statements, of the same block and before the line, that
// compute variables used in the line's arguments and nowhere else.
func (l LogCall) Feeders(ix *index.Index, info *types.Info) []*ast.AssignStmt {
	list, at := l.siblings()
	if at < 0 {
		return nil
	}
	var found []*ast.AssignStmt
	for _, s := range list[:at] {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Rhs) != 1 {
			continue
		}
		used := 0
		for _, lhs := range a.Lhs {
			id := lhs.(*ast.Ident)
			if id.Name == "_" {
				continue
			}
			obj := info.Defs[id]
			if obj == nil {
				used = -1
				break
			}
			for _, u := range ix.Uses(obj) {
				if used++; !Within(l.Call, u.Node()) {
					used = -1
					break
				}
			}
			if used < 0 {
				break
			}
		}
		if used > 0 {
			found = append(found, a)
		}
	}
	return found
}

// siblings returns the statements that the line stands among, and its place.
func (l LogCall) siblings() ([]ast.Stmt, int) {
	stmt, ok := Stmt(l.Cur)
	if !ok {
		return nil, -1
	}
	x, ok := stmt.Node().(*ast.ExprStmt)
	if !ok || x.X != ast.Expr(l.Call) {
		return nil, -1
	}
	list := StmtList(stmt.Parent().Node())
	for i, s := range list {
		if s == ast.Stmt(x) {
			return list, i
		}
	}
	return nil, -1
}

// Guard returns the edits that put the line, and the feeders, which must stand
// directly before it, into an if that asks slog whether the level is enabled.
// It must be known that evaluating the arguments and feeders has no effect;
// ok is false where the logger or the context cannot be asked twice.
func (l LogCall) Guard(info *types.Info, pkg *types.Package, file *ast.File, feeders []*ast.AssignStmt, source func(ast.Node) string) (edits []analysis.TextEdit, ok bool) {
	list, at := l.siblings()
	if !l.Slog || at < len(feeders) || at < 0 {
		return nil, false
	}
	for i, f := range feeders {
		if list[at-len(feeders)+i] != ast.Stmt(f) {
			return nil, false
		}
	}
	start, end := list[at-len(feeders)].Pos(), list[at].End()
	slog, more, ok := Import(info, pkg, file, start, "log/slog")
	if !ok {
		return nil, false
	}
	edits = append(edits, more...)
	logger, level := slog+".Default()", slog+".Level"+l.Level
	if l.Logger != nil {
		if !steady(info, l.Logger) || !IsNamed(info.TypeOf(l.Logger), "log/slog", "Logger") {
			return nil, false
		}
		logger = source(l.Logger)
	}
	var ctx string
	switch l.Name {
	case "Debug", "Info":
		name, more, ok := Import(info, pkg, file, start, "context")
		if !ok {
			return nil, false
		}
		ctx, edits = name+".Background()", append(edits, more...)
	default:
		if len(l.Call.Args) == 0 || !steady(info, l.Call.Args[0]) {
			return nil, false
		}
		ctx = source(l.Call.Args[0])
		if l.Name == "Log" || l.Name == "LogAttrs" {
			level = source(l.Call.Args[1])
		}
	}
	return append(edits,
		analysis.TextEdit{Pos: start, End: start, NewText: []byte("if " + logger + ".Enabled(" + ctx + ", " + level + ") {\n")},
		analysis.TextEdit{Pos: end, End: end, NewText: []byte("\n}")},
	), true
}

// steady reports whether an expression may be evaluated twice: a name, a chain
// of fields, or a call that returns the same context each time.
func steady(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return info.Selections[x] == nil || info.Selections[x].Kind() == types.FieldVal && steady(info, x.X)
	case *ast.CallExpr:
		if IsFunc(info, x, "context", "Background") || IsFunc(info, x, "context", "TODO") {
			return true
		}
		sel, ok := x.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Context" && IsNamed(info.TypeOf(sel.X), "net/http", "Request") && steady(info, sel.X)
	}
	return false
}

// Builds reports whether a call makes an attribute or a context, nothing else.
func Builds(info *types.Info, call *ast.CallExpr) bool {
	for _, name := range []string{"String", "Int", "Int64", "Uint64", "Float64", "Bool", "Any", "Duration", "Time"} {
		if IsFunc(info, call, "log/slog", name) {
			return true
		}
	}
	return steady(info, call)
}
