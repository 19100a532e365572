#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The random numbers that PyTorch draws on a CPU after `torch.manual_seed`.
namespace posenc {

/// State of the Mersenne Twister mt19937 (Matsumoto and Nishimura 1998): its 624 words, then the place of the one that
/// comes next. Every draw moves it on.
inline constexpr std::size_t twister_size = 625;
using Twister = std::span<std::uint32_t, twister_size>;

void seed(std::uint32_t number, Twister twister) noexcept;

/// The next outputs of 32 bits.
void draw_words(Twister twister, std::span<std::uint32_t> out) noexcept;

enum class Distribution : std::uint8_t {
  normal,            ///< N(0, 1), as `normal_` fills 16 values or more: in runs of 16, each of 16 words
  uniform,           ///< as `uniform_(-bound, bound)`; a word each
  truncated_normal,  ///< N(0, 1) within ±2, as `torch.nn.init.trunc_normal_`; a word each
};

/// The next values of a distribution, computed in float64 and rounded once: within 1e-6 of PyTorch's; uniform ones are
/// the same where its build fuses multiply and add.
///
/// @param bound  of Distribution::uniform, which alone reads it
/// @param out    for Distribution::normal a multiple of 16 values
void draw(Distribution distribution, float bound, Twister twister, std::span<float> out) noexcept;

/// The factors of `torch.nn.functional.dropout`: 0 with probability p, else 1 / (1 - p). Two words each, as a build of
/// PyTorch without MKL draws them.
///
/// @param p  in [0, 1)
void draw_factors(double p, Twister twister, std::span<float> out) noexcept;

}  // namespace posenc
