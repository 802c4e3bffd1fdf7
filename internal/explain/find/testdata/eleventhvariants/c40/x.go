package c40

// V1 renamed

type command struct{ apply func() }

func executor(commands <-chan command, quit <-chan struct{}) {
	for {
		select {
		case <-quit:
			return
		case c := <-commands:
			c.apply()
		default:
			continue
		}
	}
}
