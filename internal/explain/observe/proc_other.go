//go:build !linux

package observe

import "github.com/pawl-dev/pawl/internal/model"

// A watcher sees nothing here: only Linux tells of other processes.
type watcher struct{}

func watchProcess(int) *watcher { return nil }

func (*watcher) end() *model.ProcessUse { return nil }
