#pragma once

#include <cstddef>
#include <random>
#include <vector>

/// Normal numbers that depend only on the seed.
inline std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}
