// Gives the targets random bytes, as many cases as fit into some seconds, as a test and in place of libFuzzer, with its
// options:
//   cpp_kernels [-seed=1] [-max_total_time=60] [-runs=1] [-first=0]
// A case is made of the seed and its number alone; what fails is repeated by -first=number -runs=1.

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::uint64_t option(int count, char** arguments, std::string_view name, std::uint64_t otherwise) {
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with(name)) continue;
    std::from_chars(argument.data() + name.size(), argument.data() + argument.size(), otherwise);
  }
  return otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t seed = option(count, arguments, "-seed=", 1);
  const std::uint64_t runs = option(count, arguments, "-runs=", std::numeric_limits<std::uint64_t>::max());
  const std::uint64_t first = option(count, arguments, "-first=", 0);
  const std::chrono::seconds most(option(count, arguments, "-max_total_time=", 60));
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::steady_clock::now() - begin; };

  std::uint64_t done = 0;
  std::vector<std::uint8_t> bytes;
  for (; done < runs && elapsed() < most; ++done) {
    // Said before, as what fails ends the program.
    if (runs == 1 || done % 10000 == 0) std::fprintf(stderr, "seed %ju, from case %ju on\n", seed, first + done);
    std::mt19937_64 random(seed * 0x9e3779b97f4a7c15 + first + done);
    bytes.resize(random() % 512);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 56);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  const double seconds = std::chrono::duration<double>(elapsed()).count();
  std::printf("%ju cases in %.0f s, %.0f a second, 0 findings\n", done, seconds, static_cast<double>(done) / seconds);
}
