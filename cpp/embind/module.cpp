#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "posenc/add.hpp"
#include "posenc/colorize.hpp"
#include "posenc/dropout.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/half.hpp"
#include "posenc/limits.hpp"
#include "posenc/lookup.hpp"
#include "posenc/random.hpp"
#include "posenc/rotate.hpp"
#include "posenc/similarity.hpp"
#include "posenc/sinusoidal.hpp"

// Values that can be anywhere in the memory, in a tensor or in a scratch array, are passed by address, and the other
// arguments give their number. All other values go through scratch arrays, whose places are fixed: JavaScript writes a
// block, calls, and reads the result. No call allocates memory. Calls are independent of earlier ones unless documented
// otherwise.
namespace {

using Address = std::uintptr_t;

/// Number of values in a scratch array, equal to the longest row. Their 256 kB fit the second-level cache.
constexpr std::size_t block = 65536;

/// Fields of an encoding, which precede its frequencies in the scratch array.
enum Field : std::uint8_t { layout, sines, cosines, scale, zero_at, numerics, fields };

/// Permanently takes memory from its beginning. Static arrays would be zeroed when the module starts, all 6 MB, because
/// an imported memory may hold anything. JavaScript passes new memories, whose pages are allocated on first use.
[[gnu::noinline]] Address take(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  const std::size_t padding = -reinterpret_cast<Address>(sbrk(0)) % alignment;
  return reinterpret_cast<Address>(sbrk(static_cast<std::intptr_t>(padding + bytes))) + padding;
}

/// Makes a scratch array known to JavaScript, as an array of this name; numbers.js has it. The kind of its numbers is
/// their size in bytes, negative for floating point.
extern "C" void posenc_scratch(const char* name, int kind, Address address, std::size_t bytes);

template <class Seen, class T>
std::span<T> named(const char* name, std::span<T> array) {
  constexpr int size = sizeof(Seen);
  posenc_scratch(name, std::is_floating_point_v<Seen> ? -size : size, reinterpret_cast<Address>(array.data()),
                 array.size_bytes());
  return array;
}

/// A new scratch array. JavaScript sees its numbers as another type if one is given.
template <class T, class Seen = T>
std::span<T> scratch(const char* name, std::size_t size) {
  return named<Seen>(name, std::span<T>{reinterpret_cast<T*>(take(size * sizeof(T))), size});
}

const auto encoding_scratch = scratch<double>("encoding", fields + 2 * posenc::limits::frequencies);
// The frequencies in the encoding: high parts, then low parts.
const auto turns_scratch = named<double>("turns", encoding_scratch.subspan(fields));
const auto radians_scratch = scratch<double>("radians", posenc::limits::frequencies);
const auto state_scratch = scratch<double>("state", posenc::sinusoidal_state_size(posenc::limits::dim));
const auto positions_scratch = scratch<double>("positions", posenc::limits::frequencies);
const auto rows_scratch = scratch<float>("rows", block);      // of an encoding
const auto values_scratch = scratch<float>("values", block);  // copies of inputs from elsewhere, and results
const auto halves_scratch = scratch<std::uint16_t>("halves", block);
const auto token_ids_scratch = scratch<std::uint32_t>("tokenIds", block);
const auto segment_ids_scratch = scratch<std::uint32_t>("segmentIds", block);
const auto segments_scratch = scratch<float>("segments", block);  // the table, or only the rows that a block uses
const auto twister_scratch = scratch<std::uint32_t>("twister", posenc::twister_size).first<posenc::twister_size>();
const auto words_scratch = scratch<std::uint32_t>("words", block);
const auto factors_scratch = scratch<float>("factors", block);
const auto left_scratch = scratch<float>("left", 131072);  // pieces of the vectors to compare
const auto right_scratch = scratch<float>("right", 131072);
const auto sums_scratch = scratch<double>("sums", 4096);  // one for each pair of vectors
const auto squares_scratch =
    scratch<double>("squares", 128);  // squared norms of the left vectors, then of the right ones
const auto similarities_scratch = scratch<float>("similarities", 4096);
const auto colors_scratch = scratch<std::uint32_t, std::uint8_t>("colors", 4097);
const auto pixels_scratch = scratch<std::uint32_t, std::uint8_t>("pixels", 8192);

template <class T>
std::span<T> part(std::span<T> array, std::size_t count, std::size_t from = 0) {
  return array.subspan(from, count);
}

std::span<float> values(Address address, std::size_t count) { return {reinterpret_cast<float*>(address), count}; }

std::span<std::uint16_t> halves(Address address, std::size_t count) {
  return {reinterpret_cast<std::uint16_t*>(address), count};
}

/// The type of 16 bits that JavaScript calls `number`: types begin with float32.
posenc::Half half(std::size_t number) { return static_cast<posenc::Half>(number - 1); }

/// The encoding described in its scratch array.
posenc::Sinusoidal encoding() {
  const auto number = [](Field name) { return static_cast<std::size_t>(encoding_scratch[name]); };
  const std::size_t count = std::max(number(sines), number(cosines));
  return {{part(turns_scratch, count), part(turns_scratch, count, count)},
          static_cast<posenc::Layout>(number(layout)),
          number(sines),
          number(cosines),
          encoding_scratch[scale],
          encoding_scratch[zero_at],
          static_cast<posenc::Numerics>(number(numerics))};
}

/// Writes the frequencies in radians to their scratch array, and those in turns to their place in the encoding's
/// scratch array.
void frequencies(double base, double steps, double max_frequency, double factor, double more, double length,
                 std::size_t count) {
  posenc::frequencies(base, steps, max_frequency, part(radians_scratch, count), part(turns_scratch, count),
                      part(turns_scratch, count, count), {factor, more, length});
}

/// Divides the frequencies in turns by the divisors in the radians' scratch array, then writes those in radians there.
void scale_frequencies(std::size_t ramp, double length, double fast, double slow, std::size_t whole, double base,
                       double steps, std::size_t count) {
  posenc::scale({static_cast<posenc::Ramp>(ramp), length, fast, slow, whole != 0, base, steps},
                part(radians_scratch, count), part(turns_scratch, count), part(turns_scratch, count, count));
}

/// Converts the frequencies in the radians' scratch array to turns, at their place in the encoding's scratch array.
void own_frequencies(std::size_t count) {
  posenc::turns(part(radians_scratch, count), part(turns_scratch, count), part(turns_scratch, count, count));
}

/// Computes columns [from, to) of the rows row, row + 1, ..., where row k is at position start + k · step. `row` is 0,
/// or the row after the previous call's last, whose state is still in its scratch array.
void rows(std::size_t from, std::size_t to, double start, double step, double row, std::size_t count, std::size_t type,
          Address out) {
  const std::size_t size = count * (to - from);
  posenc::SinusoidalRows made(encoding(), {from, to}, start, step, state_scratch, row);
  type == 0 ? made.next(values(out, size)) : made.next(half(type), halves(out, size));
}

/// Computes rows at the positions in their scratch array: one per row, or one for each frequency of each row.
void rows_at(std::size_t from, std::size_t to, std::size_t rows, std::size_t positions, std::size_t type, Address out) {
  const std::size_t size = rows * (to - from);
  const auto at = part(positions_scratch, positions);
  type == 0 ? posenc::sinusoidal_at(encoding(), {from, to}, at, state_scratch, values(out, size))
            : posenc::sinusoidal_at(encoding(), {from, to}, at, state_scratch, half(type), halves(out, size));
}

void widen(std::size_t type, Address bits, std::size_t count, Address out) {
  posenc::widen(half(type), halves(bits, count), values(out, count));
}

void narrow(std::size_t type, Address x, std::size_t count, Address out) {
  posenc::narrow(half(type), values(x, count), halves(out, count));
}

/// Adds a row to each of the embeddings. If `table_size` is 0, it is the row of its position, and `apart` is that of
/// BatchShape. If not, it is the row of its id in the segments' scratch array, from a table of that size; the type is
/// float32.
void add(std::size_t type, Address rows, std::size_t table_size, Address embeddings, std::size_t batch,
         std::size_t length, std::size_t dim, std::size_t apart, double factor, Address out) {
  const posenc::BatchShape shape{batch, length, dim, apart};
  const std::size_t size = shape.size();
  const bool by_id = table_size > 0;
  const auto added = values(rows, by_id ? table_size : length * dim);
  const auto scale = static_cast<float>(factor);
  type == 0 ? posenc::add({added, part(segment_ids_scratch, by_id ? shape.rows() : 0)}, values(embeddings, size), shape,
                          scale, values(out, size))
            : posenc::add(half(type), added, halves(embeddings, size), shape, scale, halves(out, size));
}

void rotate(Address rows, std::size_t layout, std::size_t pairs, std::size_t parts, std::size_t inverse, Address x,
            std::size_t batch, std::size_t length, std::size_t dim, std::size_t apart, Address out) {
  const posenc::BatchShape shape{batch, length, dim, apart};
  posenc::rotate(values(rows, 2 * pairs * length), {static_cast<posenc::Pairs>(layout), pairs, parts, inverse != 0},
                 shape, values(x, shape.size()), values(out, shape.size()));
}

/// Copies the rows of the tokens' ids.
void lookup(Address tokens, std::size_t tokens_size, std::size_t count, std::size_t dim, Address out) {
  posenc::lookup({values(tokens, tokens_size), part(token_ids_scratch, count)}, values(out, count * dim));
}

void seed(std::size_t number) { posenc::seed(static_cast<std::uint32_t>(number), twister_scratch); }

void draw_words(std::size_t count) { posenc::draw_words(twister_scratch, part(words_scratch, count)); }

void draw(std::size_t distribution, std::size_t count, double bound, Address out) {
  posenc::draw(static_cast<posenc::Distribution>(distribution), static_cast<float>(bound), twister_scratch,
               values(out, count));
}

void draw_factors(std::size_t count, double p) {
  posenc::draw_factors(p, twister_scratch, part(factors_scratch, count));
}

/// Multiplies values by factors: each factor applies to size/factors consecutive values.
void dropout(std::size_t factors, std::size_t size, Address x, Address out) {
  posenc::dropout(part(factors_scratch, factors), values(x, size), values(out, size));
}

/// Adds the sums of rows [left, length] with rows [right, length] to the sums' scratch array, and for the cosine the
/// squared norms to the squares' scratch array.
void accumulate(std::size_t metric, std::size_t left, std::size_t right, std::size_t length) {
  const auto a = part(left_scratch, left * length);
  const auto b = part(right_scratch, right * length);
  posenc::accumulate(static_cast<posenc::Metric>(metric), a, b, length, part(sums_scratch, left * right));
  if (static_cast<posenc::Metric>(metric) != posenc::Metric::cosine) return;
  posenc::accumulate_squares(a, length, part(squares_scratch, left));
  posenc::accumulate_squares(b, length, part(squares_scratch, right, left));
}

void similarity(std::size_t metric, std::size_t left, std::size_t right) {
  const std::size_t count = left * right;
  posenc::similarity(static_cast<posenc::Metric>(metric), part(sums_scratch, count), part(squares_scratch, left),
                     part(squares_scratch, right, left), part(similarities_scratch, count));
}

void colorize(std::size_t count, double low, double high, std::size_t colors) {
  posenc::colorize(part(values_scratch, count), low, high, part(colors_scratch, colors), part(pixels_scratch, count));
}

/// Takes the rest of the allocator's memory, so that it never grows into tensors.
void claim_memory() {
  sbrk(static_cast<std::intptr_t>(emscripten_get_heap_size() - reinterpret_cast<Address>(sbrk(0))));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc) {
  emscripten::function("frequencies", &frequencies);
  emscripten::function("scaleFrequencies", &scale_frequencies);
  emscripten::function("ownFrequencies", &own_frequencies);
  emscripten::function("rows", &rows);
  emscripten::function("rowsAtPositions", &rows_at);
  emscripten::function("widen", &widen);
  emscripten::function("narrow", &narrow);
  emscripten::function("add", &add);
  emscripten::function("rotate", &rotate);
  emscripten::function("lookup", &lookup);
  emscripten::function("seed", &seed);
  emscripten::function("drawWords", &draw_words);
  emscripten::function("draw", &draw);
  emscripten::function("drawFactors", &draw_factors);
  emscripten::function("dropout", &dropout);
  emscripten::function("accumulate", &accumulate);
  emscripten::function("similarity", &similarity);
  emscripten::function("colorize", &colorize);

  claim_memory();
}
