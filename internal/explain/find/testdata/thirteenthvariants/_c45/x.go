package c45

/*
#include <math.h>
#include <stdint.h>

static uint64_t morton(uint32_t x, uint32_t y) {
	uint64_t z = 0;
	for (int i = 0; i < 32; i++)
		z |= ((uint64_t)(x >> i & 1) << (2 * i)) | ((uint64_t)(y >> i & 1) << (2 * i + 1));
	return z;
}
*/
import "C"

// V1 across two functions

type coordinate struct {
	x, y uint32
}

func cell(c coordinate) uint64 {
	return uint64(C.morton(C.uint32_t(c.x), C.uint32_t(c.y)))
}

func cells(track []coordinate) []uint64 {
	ids := make([]uint64, len(track))
	for i, c := range track {
		ids[i] = cell(c)
	}
	return ids
}
