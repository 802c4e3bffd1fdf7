package c40

// V1 names
type message struct{ payload []byte }

func drain(inbox <-chan message, quit <-chan struct{}, handle func(message)) {
	for {
		select {
		case m := <-inbox:
			handle(m)
		case <-quit:
			return
		default:
		}
	}
}
