#pragma once

#include <cstddef>

#include "lanes.hpp"
#include "posenc/add.hpp"

namespace posenc {

/// Visits all rows of a batch: by `four(row, l)` those of position l in four sequences, which are `shape.apart` rows
/// apart, if `fours` is true; and by `one(row, l)` each other.
template <class Four, class One>
inline void for_rows(const BatchShape& shape, bool fours, const Four& four, const One& one) noexcept {
  const std::size_t whole = shape.sequence_first() || !fours ? 0 : shape.batch - shape.batch % lanes::streams;
  for (std::size_t b = 0; b < whole; b += lanes::streams) {
    for (std::size_t l = 0; l < shape.length; ++l) four(shape.row(b, l), l);
  }
  // Sequence-first, all rows are consecutive, several for each position. Batch-first, those of a sequence are.
  const std::size_t repeats = shape.sequence_first() ? shape.batch : 1;
  for (std::size_t b = whole; b < shape.batch; b += repeats) {
    lanes::for_parts(shape.length * repeats, [&](std::size_t row) { one(shape.row(b, 0) + row, row / repeats); });
  }
}

}  // namespace posenc
