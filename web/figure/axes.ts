import { formatLength, formatWhole, powerOfTen } from './numbers.ts';
import type { Scale } from './plot.ts';

interface Tick {
  /** Row or column, from the first. */
  at: number;
  text: string;
}

export interface TickedAxis {
  name: string;
  /** Given the most that have room. */
  ticks: (max: number) => Tick[];
}

/** Positions from this one on are labelled relative to the first: the whole number would not fit. */
const FAR_LABELS = 1e5;

/**
 * Round numbers for an axis of whole numbers.
 *
 * @param max number of ticks there is room for
 * @returns offsets from the first
 */
export function ticks(first: number, count: number, max: number): number[] {
  let step = 1;
  // 1, 2, 5, 10, 20, 50, …
  for (let k = 0; Math.floor((count - 1) / step) >= Math.max(max, 2); k++) step *= k % 3 === 1 ? 2.5 : 2;
  const offsets = [];
  const lead = ((first % step) + step) % step;
  for (let at = lead ? step - lead : 0; at < count; at += step) offsets.push(at);
  return offsets;
}

export function positionAxis(start: number, length: number): TickedAxis {
  const far = start !== 0 && (Math.abs(start) >= FAR_LABELS || Math.abs(start + length - 1) >= FAR_LABELS);
  return {
    name: far ? `position ${start < 0 ? '+' : '−'} ${formatWhole(Math.abs(start))}` : 'position',
    ticks: (max: number) =>
      ticks(far ? 0 : start, length, max).map((at) => ({ at, text: formatTick(far ? at : start + at) })),
  };
}

/** @param value an integer; large ones are round, since the axis is long */
function formatTick(value: number) {
  if (value < FAR_LABELS || value % 1000) return formatWhole(value);
  return value % 1e6 ? `${formatWhole(value / 1000)} k` : `${formatWhole(value / 1e6)} M`;
}

export const thinned = (axis: TickedAxis, every: number): TickedAxis => ({
  name: axis.name,
  ticks: (max) => axis.ticks(max).map((tick) => ({ ...tick, at: tick.at / every })),
});

export function dimensionAxis(count: number, first = 0): TickedAxis {
  return {
    name: 'dimension',
    ticks: (max) => ticks(first, count, max).map((at) => ({ at, text: formatWhole(first + at) })),
  };
}

/** An axis of numbers, from 0 or below to 0 or above, with round ticks. */
export function valueScale(name: string, values: ArrayLike<number>): Scale {
  let [low, high] = [0, 0];
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]);
    high = Math.max(high, values[k]);
  }
  const height = high - low || 1;
  return {
    name,
    range: [low - height * 0.03, high + height * 0.03],
    ticks(max) {
      // The ticks are counted in thousandths or smaller units, so that they are integers.
      const unit = 10 ** (Math.floor(Math.log10(height)) - 3);
      const first = Math.ceil(low / unit);
      return ticks(first, Math.floor(high / unit) - first + 1, max).map((offset) => {
        const at = Number(((first + offset) * unit).toPrecision(6));
        return { at, text: formatWhole(at) };
      });
    },
  };
}

/** Powers of ten between two exponents, for a logarithmic axis. */
export function decades(first: number, last: number, max: number): Tick[] {
  const step = Math.ceil((last - first + 1) / Math.max(max, 2));
  const lowest = Math.ceil(first / step) * step;
  // As formatLength writes them, but one axis writes all of its numbers in one way.
  const plain = first >= 0 && last <= 6;
  return Array.from({ length: Math.floor((last - lowest) / step) + 1 }, (_, k) => {
    const exponent = lowest + k * step;
    return { at: 10 ** exponent, text: plain ? formatWhole(10 ** exponent) : powerOfTen(exponent) };
  });
}

/** Powers of two, for a logarithmic axis of distances. */
export function powersOfTwo(last: number, max: number): number[] {
  const octaves = Math.floor(Math.log2(last));
  const every = Math.ceil((octaves + 1) / Math.max(max, 2));
  return Array.from({ length: Math.floor(octaves / every) + 1 }, (_, k) => 2 ** (k * every));
}

/** @param value 1, 2 or 5 times a power of ten */
function formatRound(value: number) {
  if (value >= 1 && value < 1e9) return formatTick(value);
  const power = Math.floor(Math.log10(value) + 1e-9);
  const digit = Math.round(value / 10 ** power);
  return (digit === 1 ? '' : `${digit} · `) + powerOfTen(power);
}

/**
 * The wavelengths of columns: all of them if there is room, otherwise round ones between the columns and that of the first
 * column of each run of growing wavelengths.
 *
 * @param wavelengths NaN for columns that are not waves
 */
export function wavelengthAxis(wavelengths: ArrayLike<number>): TickedAxis {
  const count = wavelengths.length;
  const find = (max: number) => {
    /** the most important ticks have the lowest rank */
    const candidates: (Tick & { rank: number })[] = [];
    for (let at = 0; at < count; at++) {
      const [before, here] = [wavelengths[at - 1], wavelengths[at]];
      if (!(here >= before) || (count <= max && here > before)) {
        if (Number.isNaN(here)) continue;
        const text = Math.abs(here / (2 * Math.PI) - 1) < 1e-12 ? '2π' : formatLength(here);
        candidates.push({ at, text, rank: 0 });
      } else if (here > before) {
        const decade = 10 ** Math.floor(Math.log10(before));
        for (const digit of [2, 5, 10]) {
          for (let round = digit * decade; round <= here; round *= 10) {
            const part = Math.log(round / before) / Math.log(here / before);
            if (part > 0) candidates.push({ at: at - 1 + part, text: formatRound(round), rank: digit === 10 ? 1 : 2 });
          }
        }
      }
    }
    // There is room for three characters and a gap; a longer label needs more.
    const room = (mark: Tick, other: Tick) =>
      (((Math.max(mark.text.length, other.text.length, 3) + 1) / 4) * count) / Math.max(max, 2);
    const kept: Tick[] = [];
    for (const tick of candidates.sort((a, b) => a.rank - b.rank)) {
      if (kept.every((other) => Math.abs(other.at - tick.at) >= room(other, tick))) kept.push(tick);
    }
    return kept;
  };
  let last = { most: 0, ticks: [] as Tick[] };
  return {
    name: Array.from(wavelengths).some(Number.isFinite) ? 'wavelength in positions' : '',
    ticks(limit) {
      if (last.most !== limit) last = { most: limit, ticks: find(limit) };
      return last.ticks;
    },
  };
}
