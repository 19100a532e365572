#include "posenc/half.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "halves.hpp"

namespace posenc {
namespace {

using lanes::Floats;

/// Calls `each(from, to)` for consecutive registers of the values. An incomplete last one goes through padded arrays.
template <class From, class To, class Each>
void convert(std::span<const From> values, std::span<To> out, const Each& each) noexcept {
  assert(values.size() == out.size());
  std::array<From, lanes::floats> from{};
  std::array<To, lanes::floats> to{};
  for (std::size_t i = 0; i < values.size(); i += lanes::floats) {
    const std::size_t count = values.size() - i;
    if (count >= lanes::floats) [[likely]] {
      each(&values[i], &out[i]);
    } else {
      std::copy_n(&values[i], count, from.begin());
      each(from.data(), to.data());
      std::copy_n(to.begin(), count, &out[i]);
    }
  }
}

template <Half type>
void widen_all(std::span<const std::uint16_t> bits, std::span<float> out) noexcept {
  convert(bits, out, [](const std::uint16_t* from, float* to) {
    lanes::widened<type>(lanes::load_halves(from)).store_unaligned(to);
  });
}

template <Half type>
void narrow_all(std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  convert(values, out, [](const float* from, std::uint16_t* to) {
    lanes::store_halves(lanes::narrowed<type>(Floats::load_unaligned(from)), to);
  });
}

}  // namespace

void widen(Half type, std::span<const std::uint16_t> bits, std::span<float> out) noexcept {
  type == Half::float16 ? widen_all<Half::float16>(bits, out) : widen_all<Half::bfloat16>(bits, out);
}

void narrow(Half type, std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  type == Half::float16 ? narrow_all<Half::float16>(values, out) : narrow_all<Half::bfloat16>(values, out);
}

}  // namespace posenc
