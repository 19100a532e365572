#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/add.hpp"
#include "posenc/colorize.hpp"
#include "posenc/dropout.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/limits.hpp"
#include "posenc/random.hpp"
#include "posenc/similarity.hpp"
#include "posenc/sinusoidal.hpp"

// Data crosses through fixed areas: JavaScript copies a block in, calls, and copies the result out. The heap never
// grows, so views of the areas stay valid, nothing is allocated by a call, and a block stays in cache.
namespace {

alignas(64) double frequencies_area[2 * posenc::limits::frequencies];  // high parts, then low parts
alignas(64) double state_area[posenc::sinusoidal_state_size(posenc::limits::dim)];
alignas(64) double doubles_area[8192];  // positions; sums
// A megabyte: measured, smaller copies are a third slower (glibc's memmove switches loops there), and larger ones leave
// the second-level cache.
alignas(64) float rows_area[262144];        // an encoding's rows; vectors; values; random numbers
alignas(64) float embeddings_area[262144];  // embeddings, then their sum; vectors; factors
alignas(64) float segments_area[262144];
alignas(64) std::uint32_t ids_area[262144];  // a segment's for each row of the embeddings; random words
alignas(64) float results_area[4096];
alignas(64) std::uint32_t colors_area[4097];
alignas(64) std::uint32_t pixels_area[8192];
alignas(64) std::uint32_t twister_area[posenc::twister_size];

// These live within one JavaScript call: from describe, and from begin_rows, to the last rows.
posenc::Sinusoidal encoding;
std::optional<posenc::SinusoidalRows> stream;

template <class T, std::size_t n>
std::span<T> part(T (&area)[n], std::size_t count, std::size_t from = 0) {
  return std::span<T>(area).subspan(from, count);
}

/// Leaves the frequencies in radians in the state area.
void frequencies(double base, double steps, double max_frequency, std::size_t count) {
  posenc::frequencies(base, steps, max_frequency, part(state_area, count), part(frequencies_area, count),
                      part(frequencies_area, count, count));
}

/// The encoding that the rows are of; its frequencies stand in their area.
void describe(std::size_t layout, std::size_t sines, std::size_t cosines, double scale, double zero_at,
              std::size_t numerics) {
  const std::size_t count = std::max(sines, cosines);
  encoding = {{part(frequencies_area, count), part(frequencies_area, count, count)},
              static_cast<posenc::Layout>(layout),
              sines,
              cosines,
              scale,
              zero_at,
              static_cast<posenc::Numerics>(numerics)};
}

void begin_rows(std::size_t from, std::size_t to, double start, double step) {
  stream.emplace(encoding, posenc::Columns{from, to}, start, step, std::span(state_area));
}

void next_rows(std::size_t size) { stream->next(part(rows_area, size)); }

void rows_at(std::size_t from, std::size_t to, std::size_t positions) {
  posenc::sinusoidal_at(encoding, {from, to}, part(doubles_area, positions), std::span(state_area),
                        part(rows_area, positions * (to - from)));
}

/// Adds the encoding's rows and, where `segmented`, those of the segments area that the ids name.
void add(std::size_t batch, std::size_t length, std::size_t dim, std::size_t sequence_first, double scale,
         std::size_t segmented) {
  const auto order = sequence_first != 0 ? posenc::Order::sequence_first : posenc::Order::batch_first;
  const posenc::BatchShape shape{batch, length, dim, order};
  const auto embeddings = part(embeddings_area, shape.size());
  const posenc::Segments segments{segments_area, part(ids_area, segmented != 0 ? batch * length : 0)};
  posenc::add(part(rows_area, length * dim), segments, embeddings, shape, static_cast<float>(scale), embeddings);
}

/// Sums of rows [rows_a, length] by embeddings [rows_b, length] are added up in the doubles area, and for the cosine
/// squared norms in the state area (those of a, then those of b).
void accumulate(std::size_t metric, std::size_t rows_a, std::size_t rows_b, std::size_t length) {
  const auto a = part(rows_area, rows_a * length);
  const auto b = part(embeddings_area, rows_b * length);
  posenc::accumulate(static_cast<posenc::Metric>(metric), a, b, length, part(doubles_area, rows_a * rows_b));
  if (static_cast<posenc::Metric>(metric) != posenc::Metric::cosine) return;
  posenc::accumulate_squares(a, length, part(state_area, rows_a));
  posenc::accumulate_squares(b, length, part(state_area, rows_b, rows_a));
}

void similarity(std::size_t metric, std::size_t rows_a, std::size_t rows_b) {
  const std::size_t count = rows_a * rows_b;
  posenc::similarity(static_cast<posenc::Metric>(metric), part(doubles_area, count), part(state_area, rows_a),
                     part(state_area, rows_b, rows_a), part(results_area, count));
}

void colorize(std::size_t count, double low, double high, std::size_t colors) {
  posenc::colorize(part(rows_area, count), low, high, part(colors_area, colors), part(pixels_area, count));
}

void seed(std::size_t number) { posenc::seed(static_cast<std::uint32_t>(number), twister_area); }

void draw_words(std::size_t count) { posenc::draw_words(twister_area, part(ids_area, count)); }

void draw(std::size_t distribution, std::size_t count, double bound) {
  posenc::draw(static_cast<posenc::Distribution>(distribution), static_cast<float>(bound), twister_area,
               part(rows_area, count));
}

/// Leaves the factors in the embeddings area.
void draw_factors(std::size_t count, double p) { posenc::draw_factors(p, twister_area, part(embeddings_area, count)); }

/// Multiplies the values of the rows area by the factors, each of which has a run of them.
void dropout(std::size_t factors, std::size_t size) {
  posenc::dropout(part(embeddings_area, factors), part(rows_area, size), part(rows_area, size));
}

template <class T, std::size_t n>
void register_area(const char* address, const char* length, T (&area)[n]) {
  emscripten::constant(address, static_cast<double>(reinterpret_cast<std::uintptr_t>(&area[0])));
  emscripten::constant(length, static_cast<double>(n));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc) {
  register_area("frequenciesAt", "frequenciesLength", frequencies_area);
  register_area("stateAt", "stateLength", state_area);
  register_area("doublesAt", "doublesLength", doubles_area);
  register_area("rowsAt", "rowsLength", rows_area);
  register_area("embeddingsAt", "embeddingsLength", embeddings_area);
  register_area("segmentsAt", "segmentsLength", segments_area);
  register_area("idsAt", "idsLength", ids_area);
  register_area("resultsAt", "resultsLength", results_area);
  register_area("colorsAt", "colorsLength", colors_area);
  register_area("pixelsAt", "pixelsLength", pixels_area);
  register_area("twisterAt", "twisterLength", twister_area);

  emscripten::function("frequencies", &frequencies);
  emscripten::function("describe", &describe);
  emscripten::function("beginRows", &begin_rows);
  emscripten::function("nextRows", &next_rows);
  emscripten::function("rowsAtPositions", &rows_at);
  emscripten::function("add", &add);
  emscripten::function("accumulate", &accumulate);
  emscripten::function("similarity", &similarity);
  emscripten::function("colorize", &colorize);
  emscripten::function("seed", &seed);
  emscripten::function("drawWords", &draw_words);
  emscripten::function("draw", &draw);
  emscripten::function("drawFactors", &draw_factors);
  emscripten::function("dropout", &dropout);
}
