#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "posenc/add.hpp"
#include "posenc/colorize.hpp"
#include "posenc/dropout.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/limits.hpp"
#include "posenc/lookup.hpp"
#include "posenc/random.hpp"
#include "posenc/similarity.hpp"
#include "posenc/sinusoidal.hpp"

// Values that may lie anywhere in the memory, in a tensor or in an area, are named by their address, and are as many as
// the other arguments say. All else goes through areas, which are fixed: JavaScript writes a block, calls, and reads
// the result. No call allocates, and none relies on an earlier one but where it says so.
namespace {

using Address = std::uintptr_t;

constexpr std::size_t block =
    65536;  // values: as many as the longest row, and 256 kB, which the second-level cache holds

/// Fields of the encoding that come before its frequencies in their area.
enum Field : std::uint8_t { layout, sines, cosines, scale, zero_at, numerics, fields };

alignas(64) double encoding_area[fields + 2 * posenc::limits::frequencies];  // frequencies: high parts, then low parts
alignas(64) double radians_area[posenc::limits::frequencies];
alignas(64) double state_area[posenc::sinusoidal_state_size(posenc::limits::dim)];
alignas(64) double positions_area[8192];
alignas(64) float rows_area[block];    // of an encoding
alignas(64) float values_area[block];  // that come from elsewhere, and what becomes of them
alignas(64) std::uint32_t token_ids_area[block];
alignas(64) std::uint32_t segment_ids_area[block];
alignas(64) float segments_area[block];  // the table, or the rows that a block takes of it
alignas(64) std::uint32_t twister_area[posenc::twister_size];
alignas(64) std::uint32_t words_area[block];
alignas(64) float factors_area[block];
alignas(64) float left_area[131072];  // pieces of the vectors that are compared
alignas(64) float right_area[131072];
alignas(64) double sums_area[4096];    // a pair of vectors each
alignas(64) double squares_area[128];  // squared norms of the left vectors, then of the right ones
alignas(64) float similarities_area[4096];
alignas(64) std::uint32_t colors_area[4097];
alignas(64) std::uint32_t pixels_area[8192];

template <class T, std::size_t n>
std::span<T> part(T (&area)[n], std::size_t count, std::size_t from = 0) {
  return std::span<T>(area).subspan(from, count);
}

std::span<float> values(Address address, std::size_t count) { return {reinterpret_cast<float*>(address), count}; }

/// The encoding that its area describes.
posenc::Sinusoidal encoding() {
  const double* const field = encoding_area;
  const auto number = [=](Field name) { return static_cast<std::size_t>(field[name]); };
  const std::size_t count = std::max(number(sines), number(cosines));
  return {{part(encoding_area, count, fields), part(encoding_area, count, fields + count)},
          static_cast<posenc::Layout>(number(layout)),
          number(sines),
          number(cosines),
          field[scale],
          field[zero_at],
          static_cast<posenc::Numerics>(number(numerics))};
}

/// Leaves the frequencies in radians in their area, and those in turns where an encoding has them.
void frequencies(double base, double steps, double max_frequency, std::size_t count) {
  posenc::frequencies(base, steps, max_frequency, part(radians_area, count), part(encoding_area, count, fields),
                      part(encoding_area, count, fields + count));
}

/// Doubles of the state area that rows of so many columns use.
std::size_t state_size(std::size_t width) { return posenc::sinusoidal_state_size(width); }

/// Columns [from, to) of the rows row, row + 1, ... of those at start, start + step, ...: from row 0 on, or from where
/// the call before stopped, whose state stands in its area.
void rows(std::size_t from, std::size_t to, double start, double step, double row, std::size_t count, Address out) {
  posenc::SinusoidalRows(encoding(), {from, to}, start, step, state_area, row).next(values(out, count * (to - from)));
}

/// Adds such rows, of all columns, to scaled embeddings.
void add_rows(std::size_t dim, double start, double step, double row, std::size_t count, Address embeddings,
              double factor, Address out) {
  const std::size_t size = count * dim;
  posenc::SinusoidalRows(encoding(), {0, dim}, start, step, state_area, row)
      .add_next(values(embeddings, size), static_cast<float>(factor), values(out, size));
}

void rows_at(std::size_t from, std::size_t to, std::size_t positions, Address out) {
  posenc::sinusoidal_at(encoding(), {from, to}, part(positions_area, positions), state_area,
                        values(out, positions * (to - from)));
}

/// Adds to embeddings or, where `tokens` is the size of their table, to the tokens whose ids stand in their area.
/// Segments, whose ids do, too, are as many where their table has values.
void add(Address rows, Address segments, std::size_t segments_size, Address embeddings, std::size_t tokens,
         std::size_t batch, std::size_t length, std::size_t dim, std::size_t sequence_first, double factor,
         Address out) {
  const auto order = sequence_first != 0 ? posenc::Order::sequence_first : posenc::Order::batch_first;
  const posenc::BatchShape shape{batch, length, dim, order};
  const auto ids = [&](auto& area, std::size_t table) { return part(area, table > 0 ? shape.rows() : 0); };
  posenc::add(values(rows, length * dim), {values(segments, segments_size), ids(segment_ids_area, segments_size)},
              {values(embeddings, tokens > 0 ? tokens : shape.size()), ids(token_ids_area, tokens)}, shape,
              static_cast<float>(factor), values(out, shape.size()));
}

/// The tokens' rows.
void lookup(Address tokens, std::size_t tokens_size, std::size_t count, std::size_t dim, Address out) {
  posenc::lookup({values(tokens, tokens_size), part(token_ids_area, count)}, values(out, count * dim));
}

void seed(std::size_t number) { posenc::seed(static_cast<std::uint32_t>(number), twister_area); }

void draw_words(std::size_t count) { posenc::draw_words(twister_area, part(words_area, count)); }

void draw(std::size_t distribution, std::size_t count, double bound, Address out) {
  posenc::draw(static_cast<posenc::Distribution>(distribution), static_cast<float>(bound), twister_area,
               values(out, count));
}

void draw_factors(std::size_t count, double p) { posenc::draw_factors(p, twister_area, part(factors_area, count)); }

/// Multiplies by the factors, each of which has a run of values.
void dropout(std::size_t factors, std::size_t size, Address x, Address out) {
  posenc::dropout(part(factors_area, factors), values(x, size), values(out, size));
}

/// Sums of rows [left, length] by rows [right, length] are added up in the sums area, and for the cosine squared norms
/// in theirs.
void accumulate(std::size_t metric, std::size_t left, std::size_t right, std::size_t length) {
  const auto a = part(left_area, left * length);
  const auto b = part(right_area, right * length);
  posenc::accumulate(static_cast<posenc::Metric>(metric), a, b, length, part(sums_area, left * right));
  if (static_cast<posenc::Metric>(metric) != posenc::Metric::cosine) return;
  posenc::accumulate_squares(a, length, part(squares_area, left));
  posenc::accumulate_squares(b, length, part(squares_area, right, left));
}

void similarity(std::size_t metric, std::size_t left, std::size_t right) {
  const std::size_t count = left * right;
  posenc::similarity(static_cast<posenc::Metric>(metric), part(sums_area, count), part(squares_area, left),
                     part(squares_area, right, left), part(similarities_area, count));
}

void colorize(std::size_t count, double low, double high, std::size_t colors) {
  posenc::colorize(part(values_area, count), low, high, part(colors_area, colors), part(pixels_area, count));
}

/// Takes all memory that is left from the allocator, so that it never grows into tensors.
void claim_memory() {
  sbrk(static_cast<std::intptr_t>(emscripten_get_heap_size() - reinterpret_cast<Address>(sbrk(0))));
}

template <class Area>
void register_area(const char* address, const char* length, const Area& area) {
  emscripten::constant(address, static_cast<double>(reinterpret_cast<Address>(std::data(area))));
  emscripten::constant(length, static_cast<double>(std::size(area)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc) {
  register_area("encodingAt", "encodingLength", encoding_area);
  register_area("turnsAt", "turnsLength", part(encoding_area, 2 * posenc::limits::frequencies, fields));
  register_area("radiansAt", "radiansLength", radians_area);
  register_area("stateAt", "stateLength", state_area);
  register_area("positionsAt", "positionsLength", positions_area);
  register_area("rowsAt", "rowsLength", rows_area);
  register_area("valuesAt", "valuesLength", values_area);
  register_area("tokenIdsAt", "tokenIdsLength", token_ids_area);
  register_area("segmentIdsAt", "segmentIdsLength", segment_ids_area);
  register_area("segmentsAt", "segmentsLength", segments_area);
  register_area("twisterAt", "twisterLength", twister_area);
  register_area("wordsAt", "wordsLength", words_area);
  register_area("factorsAt", "factorsLength", factors_area);
  register_area("leftAt", "leftLength", left_area);
  register_area("rightAt", "rightLength", right_area);
  register_area("sumsAt", "sumsLength", sums_area);
  register_area("squaresAt", "squaresLength", squares_area);
  register_area("similaritiesAt", "similaritiesLength", similarities_area);
  register_area("colorsAt", "colorsLength", colors_area);
  register_area("pixelsAt", "pixelsLength", pixels_area);

  emscripten::function("frequencies", &frequencies);
  emscripten::function("stateSize", &state_size);
  emscripten::function("rows", &rows);
  emscripten::function("addRows", &add_rows);
  emscripten::function("rowsAtPositions", &rows_at);
  emscripten::function("add", &add);
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
