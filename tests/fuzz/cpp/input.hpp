#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <vector>

inline void expect(bool holds, const char* what, std::size_t place) {
  if (holds) return;
  std::fprintf(stderr, "%s, element %zu\n", what, place);
  std::abort();
}

inline bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || a == b ||
         (std::isnan(a) && std::isnan(b));
}

/// Reads values out of the bytes, then zeros.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), rest_.size());
    std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }
  std::size_t between(std::size_t least, std::size_t most) {
    return least + take<std::uint16_t>() % (most - least + 1);
  }
  bool coin() { return (take<std::uint8_t>() & 1U) != 0; }
  /// Any bits, infinities and NaN too.
  std::vector<float> floats(std::size_t count) {
    std::mt19937 more(seed());
    std::vector<float> values(count);
    for (float& value : values)
      value = std::bit_cast<float>(rest_.empty() ? static_cast<std::uint32_t>(more()) : take<std::uint32_t>());
    return values;
  }
  /// In (-8, 8), of many magnitudes.
  std::vector<float> tame(std::size_t count) {
    std::mt19937 more(seed());
    std::vector<float> values(count);
    for (float& value : values)
      value = std::ldexp(static_cast<float>(static_cast<std::int32_t>(more())), -28 - static_cast<int>(more() % 20));
    return values;
  }
  /// Of either kind.
  std::vector<float> values(std::size_t count) { return coin() ? floats(count) : tame(count); }
  std::vector<std::uint32_t> ids(std::size_t count, std::size_t rows) {
    std::mt19937 more(seed());
    std::vector<std::uint32_t> ids(count);
    for (std::uint32_t& id : ids) id = static_cast<std::uint32_t>(more() % rows);
    return ids;
  }

 private:
  /// Differs from array to array, also after the last byte.
  std::uint32_t seed() { return take<std::uint32_t>() + ++arrays_; }

  std::span<const std::uint8_t> rest_;
  std::uint32_t arrays_ = 0;
};
