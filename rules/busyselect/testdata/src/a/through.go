package a

func look(in <-chan int) {
	select {
	case v := <-in:
		println(v)
	default:
	}
}

func lookOn(in <-chan int) {
	for {
		look(in) // want `look has an empty default`
	}
}

// What follows is left alone.

func glance(in <-chan int) {
	select {
	case v := <-in:
		println(v)
	default:
	}
}

func glanceBetween(in <-chan int, work func()) {
	for {
		work()
		glance(in)
	}
}
