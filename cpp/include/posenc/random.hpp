#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The random numbers that PyTorch draws on a CPU after `torch.manual_seed`.
namespace posenc {

/// State of the Mersenne Twister mt19937 (Matsumoto and Nishimura 1998): its 624 words, then the index of the next one.
/// Every draw advances it.
inline constexpr std::size_t twister_size = 625;
using Twister = std::span<std::uint32_t, twister_size>;

void seed(std::uint32_t number, Twister twister) noexcept;

/// Writes the next 32-bit outputs.
void draw_words(Twister twister, std::span<std::uint32_t> out) noexcept;

enum class Distribution : std::uint8_t {
  normal,            ///< N(0, 1), as `normal_` fills 16 values or more: in runs of 16 values from 16 words
  uniform,           ///< as `uniform_(-bound, bound)`; one word per value
  truncated_normal,  ///< N(0, 1) within ±2, as `torch.nn.init.trunc_normal_`; one word per value
};

/// Draws the next values of a distribution, computed in float64 and rounded once. They are within 1e-6 of PyTorch's.
/// Uniform values are equal to PyTorch's if its build fuses multiply and add.
///
/// @param bound  only used by Distribution::uniform
/// @param out    for Distribution::normal a multiple of 16 values
void draw(Distribution distribution, float bound, Twister twister, std::span<float> out) noexcept;

/// Draws the factors of `torch.nn.functional.dropout`: 0 with probability p, otherwise 1 / (1 - p). Each takes two
/// words, as in builds of PyTorch without MKL.
///
/// @param p  in [0, 1)
void draw_factors(double p, Twister twister, std::span<float> out) noexcept;

}  // namespace posenc
