//go:build !linux

package gocmd

// A family is a process that pawl has started, and what that starts. Only on
// Linux can those be found that leave the process group.
type family struct{}

func startFamily(start func() (pid int, err error)) (family, error) {
	_, err := start()
	return family{}, err
}

func (*family) end() {}
