#include "posenc/lookup.hpp"

#include <cassert>
#include <cstddef>

#include "lanes.hpp"

namespace posenc {

void lookup(const Rows& rows, std::span<float> out) noexcept {
  if (rows.ids.empty()) return;
  const std::size_t dim = out.size() / rows.ids.size();
  assert(dim > 0 && out.size() == rows.ids.size() * dim && rows.table.size() % dim == 0);

  lanes::fill_rows(rows.ids.size(), dim, out.data(), [&](std::size_t row) {
    return [from = rows.at(row, dim)](lanes::Place at, std::size_t count) {
      return lanes::load_part<lanes::Floats>(from + at, count);
    };
  });
}

}  // namespace posenc
