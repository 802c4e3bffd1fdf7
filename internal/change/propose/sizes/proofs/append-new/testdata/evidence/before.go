// Package evidence runs commands with arguments of their own before those of the user.
package evidence

// A Command is what is run.
type Command struct {
	Path string
	Args []string
}

// New makes a command that runs a tool of the toolchain.
func New(path, tool string, args []string) *Command {
	return &Command{
		Path: path,
		Args: append([]string{"tool", tool}, args...), // target
	}
}

// Key is what a command is stored by.
func (c *Command) Key(sum []byte) []byte {
	return append([]byte(c.Path+"|"), sum...)
}
