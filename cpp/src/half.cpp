#include "posenc/half.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "halves.hpp"

namespace posenc {
namespace {

using lanes::Floats;

constexpr std::size_t step = lanes::Shorts::size;

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

/// The 16 bits of what is not a number. A NaN that was widened gets its bits back; one without a fraction in the bits
/// that are kept stays NaN.
std::uint16_t narrowed_nan(Half type, float value) noexcept {
  const bool brain = type == Half::bfloat16;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t quiet = brain ? 0x40 : 0x200;
  const std::uint32_t fraction = (bits >> (brain ? 16 : 13)) & (2 * quiet - 1);
  return static_cast<std::uint16_t>(((bits >> 16) & 0x8000) | (brain ? 0x7f80 : 0x7c00) |
                                    (fraction == 0 ? quiet : fraction));
}

template <class Narrowing>
void narrow_all(Half type, std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  assert(values.size() == out.size());
  const Narrowing narrowing;
  const std::size_t size = values.size();
  for (std::size_t i = 0; i < size; ++i) {
    while (i + step <= size &&
           narrowing(Floats::load_unaligned(&values[i]), Floats::load_unaligned(&values[i + lanes::floats]), &out[i])) {
      i += step;
    }
    if (i == size) return;
    std::array<std::uint16_t, step> narrowed;
    const Floats value(values[i]);
    out[i] = narrowing(value, value, narrowed.data()) ? narrowed[0] : narrowed_nan(type, values[i]);
  }
}

}  // namespace

void widen(Half type, std::span<const std::uint16_t> bits, std::span<float> out) noexcept {
  type == Half::float16 ? widen_all<Half::float16>(bits, out) : widen_all<Half::bfloat16>(bits, out);
}

void narrow(Half type, std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  type == Half::float16 ? narrow_all<lanes::Float16Narrowing>(type, values, out)
                        : narrow_all<lanes::Bfloat16Narrowing>(type, values, out);
}

}  // namespace posenc
