package words

import "fmt"

func ExamplePlural() {
	fmt.Println(Plural(0, "sample"))
	fmt.Println(Plural(1, "sample"))
	fmt.Println(Plural(12, "sample"))
	// Output:
	// 0 samples
	// 1 sample
	// 12 samples
}

func ExampleInflect() {
	fmt.Println(Inflect(1, "function has", "functions have"))
	fmt.Println(Inflect(2, "function has", "functions have"))
	// Output:
	// 1 function has
	// 2 functions have
}

func ExampleGrouped() {
	fmt.Println(Grouped(999), Grouped(1000), Grouped(41023.7), Grouped(int64(-1234567)), Grouped(-123))
	// Output: 999 1,000 41,023 -1,234,567 -123
}

func ExampleCounted() {
	fmt.Println(Counted(1, "wait"))
	fmt.Println(Counted(1234, "wait"))
	// Output:
	// 1 wait
	// 1,234 waits
}

func ExampleTimes() {
	fmt.Println(Times(1))
	fmt.Println(Times(3))
	// Output:
	// once
	// 3 times
}

func ExamplePercent() {
	fmt.Println(Percent(-0.0123), Percent(0.5))
	// Output: 1.2 % 50.0 %
}

func ExampleSigned() {
	fmt.Println(Signed(-0.01), Signed(0.125))
	// Output: −1.0 % +12.5 %
}

func ExampleMinus() {
	fmt.Println(Minus("[-1.0, +2.5]"))
	// Output: [−1.0, +2.5]
}
