#include "posenc/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "lanes.hpp"
#include "phase.hpp"
#include "rounding.hpp"

namespace posenc {
namespace {

using lanes::Floats;
using Words = xsimd::batch<std::uint32_t>;

constexpr std::size_t state_words = twister_size - 1;
constexpr std::size_t run_length = 16;  // of PyTorch's normal values
static_assert(state_words % run_length == 0 && run_length % Words::size == 0);

/// mt19937's recurrence, for one word or for a register of words.
template <class Word>
Word renewed(const Word& current, const Word& following, const Word& distant) noexcept {
  const Word mixed = (current & Word(0x80000000U)) | (following & Word(0x7fffffffU));
  return distant ^ (mixed >> 1) ^ ((Word(0U) - (mixed & Word(1U))) & Word(0x9908b0dfU));
}

/// Renews the words [from, to). The distant word is `offset` places further on.
void renew(std::uint32_t* words, std::size_t from, std::size_t to, std::ptrdiff_t offset) noexcept {
  std::uint32_t* word = words + from;
  std::uint32_t* const end = words + to;
  for (; end - word >= static_cast<std::ptrdiff_t>(Words::size); word += Words::size) {
    renewed(Words::load_unaligned(word), Words::load_unaligned(word + 1), Words::load_unaligned(word + offset))
        .store_unaligned(word);
  }
  for (; word < end; ++word) *word = renewed(word[0], word[1], word[offset]);
}

void renew(Twister twister) noexcept {
  constexpr std::ptrdiff_t distance = 397;
  constexpr std::ptrdiff_t back = distance - static_cast<std::ptrdiff_t>(state_words);
  constexpr std::size_t last = state_words - 1;
  renew(twister.data(), 0, state_words - distance, distance);
  renew(twister.data(), state_words - distance, last, back);
  twister[last] = renewed(twister[last], twister[0], twister[distance - 1]);
}

Words tempered(Words word) noexcept {
  word = word ^ (word >> 11);
  word = word ^ ((word << 7) & Words(0x9d2c5680U));
  word = word ^ ((word << 15) & Words(0xefc60000U));
  return word ^ (word >> 18);
}

/// Draws words for `size` values, at most one state's words at a time. `each(words, first, count)` computes the values
/// [first, first + count) from them.
template <std::size_t words_each, class Each>
void for_words(Twister twister, std::size_t size, const Each& each) noexcept {
  constexpr std::size_t most = state_words / words_each;
  std::array<std::uint32_t, state_words + words_each * Words::size> words{};  // whole registers are read
  for (std::size_t first = 0; first < size; first += most) {
    const std::size_t count = std::min(most, size - first);
    draw_words(twister, std::span(words).first(words_each * count));
    each(words.data(), first, count);
  }
}

/// Draws uniform values in [0, 1), each from 24 bits of a word.
void draw_fractions(Twister twister, std::span<float> out) noexcept {
  for_words<1>(twister, out.size(), [&](const std::uint32_t* words, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; i += lanes::floats) {
      const Words bits = Words::load_unaligned(words + i) & Words(0xffffffU);
      const Floats fraction = xsimd::to_float(xsimd::bitwise_cast<std::int32_t>(bits)) * 0x1p-24F;
      lanes::store_part(fraction, &out[first + i], count - i);
    }
  });
}

/// ln x for x in (0, 1], relative error below 2^-38.
Doubles natural_log(const Doubles& x) noexcept {
  using Bits = xsimd::batch<std::uint64_t>;
  // x · 2^halvings lies in (√½, √2].
  const auto bits = xsimd::bitwise_cast<std::uint64_t>(x);
  const Bits halvings = (Bits(std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp+0)) - bits) >> 52;
  const Doubles mantissa = xsimd::bitwise_cast<double>(bits + (halvings << 52));
  const Doubles exponent = 0x1p52 - xsimd::bitwise_cast<double>(halvings | Bits(std::bit_cast<std::uint64_t>(0x1p52)));
  const Doubles z = (mantissa - 1.0) / (mantissa + 1.0);  // |z| <= 0.172: ln(mantissa) = 2 (z + z^3/3 + ...)
  const Doubles square = z * z;
  Doubles series(2.0 / 13);
  for (const double term : {11, 9, 7, 5, 3, 1}) series = series * square + 2.0 / term;
  return exponent * ln_2.high + z * series;
}

/// The Box–Muller transform of a run of uniform fractions to normal values. Two fractions, 8 apart, give two normal
/// values, 8 apart. The angle is rounded as in PyTorch.
void make_normal(float* run) noexcept {
  constexpr std::size_t half = run_length / 2;
  std::array<double, run_length> normals;
  for (std::size_t i = 0; i < half; i += lanes::doubles) {
    const Doubles radius = xsimd::sqrt(-2.0 * natural_log(1.0 - lanes::promote(run + i)));
    const Doubles angle = round_to_bits(24, lanes::promote(run + half + i) * double{6.2831855F});
    const SineCosine at = sine_cosine(angle * inverse_two_pi.high);
    (radius * at.cosine).store_unaligned(&normals[i]);
    (radius * at.sine).store_unaligned(&normals[half + i]);
  }
  for (std::size_t i = 0; i < run_length; i += lanes::floats) {
    lanes::demote(Doubles::load_unaligned(&normals[i]), Doubles::load_unaligned(&normals[i + lanes::doubles]))
        .store_unaligned(run + i);
  }
}

/// √2 · erfinv(x) for |x| <= erf(√2), with a relative error below 2^-33. The polynomial in -ln(1 - x²) interpolates
/// √2 · erfinv(x) / x at Chebyshev nodes.
Doubles normal_quantile(const Doubles& x) noexcept {
  const Doubles w = -natural_log(1.0 - x * x);
  Doubles series(1.6823765448409356e-07);
  for (const double coefficient :
       {-2.1274580604041765e-06, 4.133150927750864e-06, 6.447032862239401e-05, -0.00018006772120695248,
        -0.0033027478369321256, 0.016333325103269458, 0.32811686622338554, 1.2533141374284549}) {
    series = series * w + coefficient;
  }
  return x * series;
}

}  // namespace

void seed(std::uint32_t number, Twister twister) noexcept {
  twister[0] = number;
  for (std::uint32_t i = 1; i < state_words; ++i) {
    const std::uint32_t word = twister[i - 1];
    twister[i] = 1812433253U * (word ^ (word >> 30)) + i;
  }
  twister.back() = state_words;
}

void draw_words(Twister twister, std::span<std::uint32_t> out) noexcept {
  std::uint32_t& place = twister.back();
  assert(place <= state_words);
  while (!out.empty()) {
    if (place == state_words) {
      renew(twister);
      place = 0;
    }
    const std::size_t count = std::min(out.size(), state_words - place);
    const std::uint32_t* const words = &twister[place];
    lanes::for_registers(count, [&](std::size_t i, std::size_t part) {
      lanes::store_part(tempered(lanes::load_part<Words>(words + i, part)), &out[i], part);
    });
    place += static_cast<std::uint32_t>(count);
    out = out.subspan(count);
  }
}

void draw(Distribution distribution, float bound, Twister twister, std::span<float> out) noexcept {
  assert(distribution != Distribution::normal || out.size() % run_length == 0);

  draw_fractions(twister, out);
  if (distribution == Distribution::normal) {
    for (std::size_t i = 0; i < out.size(); i += run_length) make_normal(&out[i]);
    return;
  }
  const bool truncated = distribution == Distribution::truncated_normal;
  const double limit = truncated ? 0.95449972F : bound;  // erf(√2), whose quantile is 2
  const auto made = [=](const Doubles& fraction) {
    const Doubles uniform = round_to_bits(24, fraction * (2 * limit) - limit);
    return truncated ? normal_quantile(uniform) : uniform;
  };
  for (std::size_t i = 0; i < out.size(); i += lanes::floats) {
    std::array<float, lanes::floats> fractions;
    lanes::load_part<Floats>(&out[i], out.size() - i).store_unaligned(fractions.data());
    const Doubles low = made(lanes::promote(fractions.data()));
    const Doubles high = made(lanes::promote(fractions.data() + lanes::doubles));
    lanes::store_part(lanes::demote(low, high), &out[i], out.size() - i);
  }
}

void draw_factors(double p, Twister twister, std::span<float> out) noexcept {
  assert(p >= 0 && p < 1);

  // A value is kept if the 53-bit integer from two words, the high one first, is below this number.
  const auto kept = static_cast<std::uint64_t>(std::ceil((1 - p) * 0x1p53));
  const Words most_high(static_cast<std::uint32_t>(kept >> 32));
  const Words most_low(static_cast<std::uint32_t>(kept));
  const Floats factor(1 / static_cast<float>(1 - p));
  for_words<2>(twister, out.size(), [&](const std::uint32_t* words, std::size_t first, std::size_t count) {
    lanes::for_registers(count, [&](std::size_t i, std::size_t part) {
      const auto a = Words::load_unaligned(words + 2 * i);
      const auto b = Words::load_unaligned(words + 2 * i + Words::size);
      const Words high = lanes::every_second<0>(a, b) & Words(0x1fffffU);
      const Words low = lanes::every_second<1>(a, b);
      const auto below = high < most_high || (high == most_high && low < most_low);
      const Floats factors = xsimd::select(xsimd::batch_bool_cast<float>(below), factor, Floats(0.0F));
      lanes::store_part(factors, &out[first + i], part);
    });
  });
}

}  // namespace posenc
