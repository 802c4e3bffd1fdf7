package effects

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// deepest is how many calls of the package's own functions are followed.
const deepest = 3

// Waits reports whether a function looks for files, another machine or another process
// by itself. What goes through an open file or connection does not count: that takes
// as long as it was made for.
func (e *Effects) Waits(ix *index.Index, f *types.Func) bool { return e.waits(ix, f, 0) }

func (e *Effects) waits(ix *index.Index, f *types.Func, depth int) bool {
	if f == nil || f.Pkg() == nil || !e.Of(f).IO {
		return false
	}
	if fd := ix.Decl(f); fd != nil {
		return depth < deepest && code.Here(fd.Body, func(call *ast.CallExpr) bool {
			return e.waits(ix, code.Callee(e.pass.TypesInfo, call), depth+1)
		}) != nil
	}
	method := f.Signature().Recv() != nil
	switch f.Pkg().Path() {
	case "os":
		return !method && files[f.Name()]
	case "net":
		return strings.HasPrefix(f.Name(), "Dial") || strings.HasPrefix(f.Name(), "Lookup")
	case "net/http":
		return code.ReceiverName(f) == "Client" && f.Name() != "CloseIdleConnections" || !method && requests[f.Name()]
	case "os/exec":
		return processes[f.Name()]
	case "database/sql":
		return code.ReceiverName(f) == "DB" && f.Name() != "Stats" && !strings.HasPrefix(f.Name(), "Set")
	}
	return !Standard(f.Pkg().Path()) // else by its facts
}

var (
	files     = code.Set("ReadFile WriteFile Open OpenFile Create ReadDir Remove RemoveAll Rename Mkdir MkdirAll CopyFS")
	requests  = code.Set("Get Head Post PostForm")
	processes = code.Set("Run Output CombinedOutput Wait LookPath")
)
