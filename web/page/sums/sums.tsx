/** A sum as at school, which a small model adds from right to left, and how it goes on beyond the columns of its training. */

import './sums.css';
import { embedding } from 'posenc';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { clamp, formatAmount, formatWhole } from '../../figure/index.ts';
import { Choices, Field, FigureAnswer, Slider, Switch } from '../field.tsx';
import type { Controlled, View } from '../types.ts';
import {
  ADDERS,
  type AdderModel,
  type AdderName,
  addNumbers,
  READ_OPTIONS,
  type SumColumn,
  type SumOptions,
  TRAINED_COLUMNS,
} from './adder.ts';
import measured from './measured.json';

/** The most columns of a sum, without the last one, which gets the carry. */
const MOST = 40;
/** The columns of the sheet: the last two have what stands before the longest sum. */
const SHEET = MOST + 3;

/** The dashes of a model's line are for who doesn't see colours. `anywhere` is why it doesn't matter where positions begin. */
const ADDER_WORDS: Record<AdderName, { label: string; colour: number; dashes: string; anywhere?: string }> = {
  none: { label: 'None', colour: 8, dashes: '1.5 3', anywhere: 'this model has no positions' },
  sinusoidal: { label: 'Sinusoidal', colour: 2, dashes: '8 3' },
  learned: { label: 'Learned', colour: 7, dashes: '4 2.5' },
  rotary: { label: 'Rotary', colour: 6, dashes: '9 2.5 2 2.5', anywhere: 'only distances count' },
  alibi: { label: 'ALiBi', colour: 4, dashes: 'none', anywhere: 'only distances count' },
  t5: { label: 'T5', colour: 5, dashes: '9 2.5 2 2.5 2 2.5', anywhere: 'only distances count' },
};

const styleLine = (name: AdderName) => ({
  '--line': `var(--line-${ADDER_WORDS[name].colour})`,
  'stroke-dasharray': ADDER_WORDS[name].dashes,
});

const formatShare = (share: number) => `${(100 * share).toFixed(0)}\u00a0%`;
const formatCount = (count: number) => formatShare(count / measured.sums);

/** The digits of two numbers, ones first, with a last column 0 + 0, and of their sum. */
interface Task {
  above: number[];
  below: number[];
  digits: number[];
}

/** The numbers that a view asks for; or why they can't be added. */
function makeTask({ addends, sum, width, seed }: View): Task | string {
  const typed = /^\s*(\d+)\s*\+\s*(\d+)\s*$/
    .exec(sum)
    ?.slice(1)
    .map((number) => number.replace(/^0+(?=\d)/, ''));
  if (addends === 'own' && !typed) return 'Write two whole numbers and a plus, such as 163 + 98.';
  if (addends === 'own' && typed!.some(({ length }) => length > MOST))
    return `A number has at most ${MOST} digits here.`;
  // The first digits of a longer sum are those of a shorter one.
  const drawn = addends === 'random' ? embedding({ rows: 1, dim: 2 * MOST, seed }).weights : [];
  const texts = {
    own: typed ?? [],
    nines: ['9'.repeat(width), '1'],
    random: [0, 1].map((number) =>
      Array.from({ length: width }, (_, k) => Math.floor(Math.abs(drawn[2 * k + number]) * 1e4) % 10)
        .reverse()
        .join(''),
    ),
  }[addends];
  const length = Math.max(...texts.map((text) => text.length)) + 1;
  const [above, below] = texts.map((text) => Array.from(text.padStart(length, '0'), Number).reverse());
  let carry = 0;
  const digits = above.map((digit, k) => {
    const total = digit + below[k] + carry;
    carry = Math.floor(total / 10);
    return total % 10;
  });
  return { above, below, digits };
}

interface Chosen {
  task: Task;
  columns: SumColumn[];
  selected: number;
  select: (column: number) => void;
}

/** The columns of the sheet, from its left to the ones. */
const COLUMNS = Array.from({ length: SHEET }, (_, k) => SHEET - 1 - k);

/** The sum in columns. The digit that is pointed at shows from which digits the model took it. */
function School({ task, columns, selected, select }: Chosen) {
  const { length } = task.digits;
  const move = (event: KeyboardEvent) => {
    const last = columns.length - 1;
    const next = { ArrowLeft: selected + 1, ArrowRight: selected - 1, Home: last, End: 0 }[event.key];
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const column = clamp(next, 0, last);
    select(column);
    (event.currentTarget as Element).querySelectorAll('button')[last - column]?.focus();
  };
  const { attention = new Float32Array() } = columns[selected] ?? {};
  const largest = Math.max(...attention);
  const isWrong = ({ digit }: SumColumn, column: number) => digit !== task.digits[column];
  const someWrong = columns.some(isWrong);
  /** The attention that the selected digit gave another one, as a share of the largest. */
  const shadeCell = (column: number, row: number) => ({
    '--weight': ((attention[3 * column + row] ?? 0) / largest || 0).toFixed(3),
  });
  const drawCells = (sign: string, drawCell: (column: number) => VNode) =>
    COLUMNS.map((column) => {
      if (column < length) return drawCell(column);
      return sign && column === length ? (
        <th key={column} scope="row">
          {sign}
        </th>
      ) : (
        <td key={column} />
      );
    });
  const drawNumber = (sign: string, digits: number[], row: number) => (
    <tr>
      {drawCells(sign, (column) => (
        // Zeros before a number are read, but not written at school.
        <td
          key={column}
          style={shadeCell(column, row)}
          class={column > 0 && !digits.slice(column).some(Boolean) ? 'unwritten' : ''}
        >
          {digits[column]}
        </td>
      ))}
    </tr>
  );
  return (
    <table>
      <thead>
        <tr>
          <td colSpan={SHEET - TRAINED_COLUMNS} />
          <td colSpan={TRAINED_COLUMNS} class="trained">
            trained
          </td>
        </tr>
        <tr>
          {COLUMNS.map((column) => (
            <td key={column}>{column < MOST && ((column + 1) % 5 === 0 || column === 0) ? column + 1 : ''}</td>
          ))}
        </tr>
      </thead>
      <tbody>
        {drawNumber('', task.above, 0)}
        {drawNumber('+', task.below, 1)}
        <tr class="said" onKeyDown={move}>
          {drawCells('=', (column) => {
            const digit = columns[column]?.digit;
            const isRight = digit === task.digits[column];
            if (digit === undefined) return <td key={column}>–</td>;
            return (
              <td key={column} style={shadeCell(column, 2)} class={isRight ? 'right' : 'wrong'}>
                <button
                  type="button"
                  tabIndex={column === selected ? 0 : -1}
                  aria-pressed={column === selected}
                  aria-label={`Column ${column + 1}: ${digit}, ${isRight ? 'right' : `wrong, ${task.digits[column]} is right`}`}
                  onFocus={() => select(column)}
                >
                  {digit}
                </button>
              </td>
            );
          })}
        </tr>
        <tr class="corrections">
          {COLUMNS.map((column) => {
            if (someWrong && column === length) return null;
            if (someWrong && column === length + 1)
              return (
                <th key={column} scope="row" colSpan={2}>
                  right
                </th>
              );
            return (
              <td key={column}>{columns[column] && isWrong(columns[column], column) ? task.digits[column] : ''}</td>
            );
          })}
        </tr>
      </tbody>
    </table>
  );
}

/** How many digits and sums were right with some options; undefined if that wasn't measured. */
function findMeasured(name: AdderName, wanted: SumOptions) {
  const write = (options: SumOptions) => Object.values({ start: 0, numerics: 'exact', slowed: 1, ...options }).join();
  return measured[name].find(({ options }: { options: SumOptions }) => write(options) === write(wanted));
}

const describeOptions = ({ start, numerics, slowed }: Required<SumOptions>) =>
  [
    slowed === 1 ? '' : `slowed by ${slowed}`,
    start === 0 ? '' : `begun at ${formatWhole(start)}`,
    numerics === 'exact' ? '' : 'in bfloat16',
  ]
    .filter(Boolean)
    .join(', ');

/** The right digits of each column, as the points of a line above the sheet, whose first column has no digits. */
const drawLine = (right: number[]) =>
  right.map((count, k) => `${SHEET - 1.5 - k},${(1 - count / measured.sums).toFixed(3)}`).join(' ');

/** A chart in the columns of the sheet. Its captions stay in sight where the sheet is scrolled. */
const Strip = ({
  title,
  label,
  selected,
  names,
  children,
}: {
  title: string;
  label: string;
  selected: number;
  names?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <figure>
    <div class="heading">
      <figcaption>{title}</figcaption>
      {names}
    </div>
    <div class="strip">
      <svg viewBox={`0 0 ${SHEET - 1} 1`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path class="grid" d={[0, 0.5, 1].map((y) => `M0 ${y}H${SHEET - 1}`).join('')} />
        {children}
        <path class="cursor" d={[1, 2].map((edge) => `M${SHEET - edge - selected} 0V1`).join('')} />
      </svg>
    </div>
  </figure>
);

const TRAINED_LINES = ADDERS.map((name) => (
  <polyline key={name} style={styleLine(name)} points={drawLine(measured[name][0].right)} />
));

/** Each model’s share of right digits: by column as a line, this one’s with its options on top, and in the selected column. */
function RightStrip({ name, options, selected }: { name: AdderName; options: Required<SumOptions>; selected: number }) {
  const asMeasured = findMeasured(name, options);
  const { right } = asMeasured ?? measured[name][0];
  const how = asMeasured ? describeOptions(options) : 'as trained';
  const { label } = ADDER_WORDS[name];
  const column = Math.min(selected, MOST - 1);
  const line = useMemo(() => drawLine(right), [right]);
  return (
    <Strip
      title={`Share of digits right in column ${column + 1}, of ${measured.sums} sums${how && `; ${label} ${how}`}`}
      label={`Lines of the share of digits right in each of ${MOST} columns, for six models. Thick: ${label}.`}
      selected={selected}
      names={
        <ul class="models row">
          {ADDERS.map((other) => (
            <li key={other} class={other === name ? 'line chosen' : 'line'}>
              <svg viewBox="0 0 28 4" aria-hidden="true">
                <path style={styleLine(other)} d="M0 2H28" />
              </svg>
              {ADDER_WORDS[other].label}{' '}
              <b>{formatCount((other === name ? right : measured[other][0].right)[column])}</b>
            </li>
          ))}
        </ul>
      }
    >
      {TRAINED_LINES}
      <polyline class="own" style={styleLine(name)} points={line} />
    </Strip>
  );
}

const NearStrip = ({ task, columns, selected }: { task: Task; columns: SumColumn[]; selected: number }) => (
  <Strip
    title="Share of attention on the five nearest digits, in this sum"
    label="Bars of the share of attention on the five nearest digits, one for each digit of this sum."
    selected={selected}
  >
    {columns.map(({ digit, near }, k) => (
      <rect
        key={k}
        class={digit === task.digits[k] ? 'right' : 'wrong'}
        {...{ x: SHEET - 1.85 - k, y: 1 - near, width: 0.7, height: near }}
      />
    ))}
  </Strip>
);

function describeResult({ digits: right }: Task, columns: SumColumn[], missing?: number) {
  const isRight = columns.map(({ digit }, k) => digit === right[k]);
  const count = (from: number, to: number) => isRight.slice(from, to).filter(Boolean).length;
  const missed = missing === undefined ? '' : `It has no row for position ${formatWhole(missing)}, and can’t go on.`;
  if (columns.length === 0) return missed;
  const inside = Math.min(TRAINED_COLUMNS, columns.length);
  const beyond = columns.length - inside;
  const later = beyond > 0 ? `, and ${count(inside, columns.length)} of the ${beyond} beyond it` : '';
  const first = count(0, inside);
  return `${first} of ${formatAmount(inside, 'digit')} within the trained length ${first === 1 ? 'is' : 'are'} right${later}. ${missed}`.trim();
}

function describeSlowed(slowed: number) {
  const [trained, measuredShares] = [1, slowed].map((slowed) => findMeasured('rotary', { slowed }));
  if (slowed === 1 || !trained || !measuredShares) return '';
  const later = TRAINED_COLUMNS + 4;
  const [fewer, more] = [measuredShares, trained].map((of) => [of.whole.ten, of.right[later - 1]].map(formatCount));
  return `Slowed by ${slowed} without more training, it gets ${fewer[0]} of ${measured.sums} sums of ten columns right, not ${more[0]}, and ${fewer[1]} of the digits in column ${later}, not ${more[1]}.`;
}

/** What becomes of the digits where positions begin elsewhere. @param plain those of positions from 0 on */
function describeBegin({ begin, rounded }: View, name: AdderName, columns: SumColumn[], plain: SumColumn[]) {
  const changed = columns.filter(({ digit }, k) => digit !== plain[k].digit).length;
  const what = changed
    ? `${changed} of ${columns.length} digits change${changed === 1 ? 's' : ''}`
    : 'no digit changes';
  const why = changed || (rounded && READ_OPTIONS[name].includes('numerics')) ? undefined : ADDER_WORDS[name].anywhere;
  return `With positions from ${formatWhole(begin)} on, ${what}${why ? `: ${why}` : ''}.`;
}

function describeSwapped(name: Exclude<AdderName, 'none'>) {
  const [most, own] = [measured.swapped[name], measured[name][0].whole.ten];
  return `With another model’s encoding, it gets ${most ? 'at most ' : ''}${most} of ${measured.sums} sums of ten columns right, not ${own}.`;
}

const describeSumColumn = ({ digits: right }: Task, { digit, near }: SumColumn, column: number) =>
  `Column ${column + 1}: ${digit} is ${digit === right[column] ? 'right' : `wrong, ${right[column]} is right`}. Blue: where its attention went, ${formatShare(near)} of it to the five nearest digits.`;

/** Which numbers are added, and from which positions on. */
function Controls({ view, change, model }: Controlled & { model: AdderModel }) {
  const { addends, width, seed } = view;
  const slider = view.place === 'learn' ? 'learn-width' : 'width';
  const reads = READ_OPTIONS[model.name];
  const columns = formatAmount(width, 'column');
  return (
    <div class="controls">
      <div class="row">
        <Choices
          class="row"
          label="Numbers"
          options={{ random: 'Random digits', nines: 'All nines + 1', own: 'Your own' }}
          value={addends}
          onChoose={(next) =>
            // Pressed again, it draws others.
            change(
              next === 'random' && addends === next ? { seed: seed + 1 } : { addends: next as View['addends'] },
              true,
            )
          }
        />
        {addends === 'own' ? (
          <Field label="Your sum" {...{ name: 'sum', view, change }} />
        ) : (
          <div class="width">
            <label for={slider}>{columns}</label>
            <Slider
              id={slider}
              min={1}
              max={MOST}
              value={width}
              onMove={(width, settled) => change({ width }, settled)}
              aria-valuetext={columns}
            />
          </div>
        )}
      </div>
      <div class="row more">
        <Field label="Positions begin at" {...{ name: 'begin', view, change }} />
        {reads.includes('numerics') && <Switch {...{ name: 'rounded', view, change }}>positions in bfloat16</Switch>}
        {reads.includes('slowed') && (
          <Choices
            class="row"
            label="Slowed"
            options={{ '1.0': 'As trained', '1.2': 'Slowed by 1.2', '2.0': 'By 2' }}
            value={['1.0', '1.2', '2.0'].find((factor) => Number(factor) === view.slowed)}
            onChoose={(slowed) => change({ slowed: Number(slowed) }, true)}
          />
        )}
      </div>
    </div>
  );
}

export function Sums({ view, change, model }: Controlled & { model: AdderModel }) {
  const { addends, sum, width, seed, begin, rounded, slowed } = view;
  const { name } = model;
  const task = useMemo(() => makeTask(view), [addends, sum, width, seed]);
  const reads = READ_OPTIONS[name];
  // What an encoding doesn't read is left out, so that what was measured without it is found. So ALiBi, T5 and none always begin at 0.
  const options: Required<SumOptions> = {
    start: reads.includes('start') ? begin : 0,
    numerics: rounded && reads.includes('numerics') ? 'bfloat16' : 'exact',
    slowed: reads.includes('slowed') ? slowed : 1,
  };
  const result = useMemo(
    () => (typeof task === 'string' ? undefined : addNumbers(model, task.above, task.below, options)),
    [model, task, ...Object.values(options)],
  );
  const began = useMemo(() => {
    if (typeof task === 'string' || !result?.columns.length || begin === 0) return '';
    const plain = options.start === 0 ? result : addNumbers(model, task.above, task.below, { ...options, start: 0 });
    return describeBegin(view, name, result.columns, plain.columns);
  }, [result, begin]);
  const [at, select] = useState(TRAINED_COLUMNS);
  if (typeof task === 'string' || !result)
    return (
      <div class="adder">
        <Controls {...{ view, change, model }} />
        <p class="problem" role="alert">
          {String(task)}
        </p>
      </div>
    );
  const { columns, missing } = result;
  const selected = clamp(at, 0, Math.max(columns.length - 1, 0));
  const point = ({ clientX, currentTarget }: MouseEvent) => {
    const { right: edge, width } = (currentTarget as Element).getBoundingClientRect();
    select(Math.floor((SHEET * (edge - clientX)) / width));
  };
  // A finger scrolls, and points by tapping.
  const pointing = {
    onPointerMove: (event: PointerEvent) => event.pointerType !== 'touch' && point(event),
    onClick: point,
  };
  return (
    <div class="adder">
      <Controls {...{ view, change, model }} />
      <div class="school">
        <div class="sheet" style={{ '--sheet': SHEET, '--column': selected }} {...pointing}>
          <School {...{ task, columns, selected, select }} />
          <RightStrip {...{ name, options, selected }} />
          <NearStrip {...{ task, columns, selected }} />
        </div>
      </div>
      {columns.length > 0 && <p class="note">{describeSumColumn(task, columns[selected], selected)}</p>}
      <FigureAnswer>
        {[describeResult(task, columns, missing), began, !rounded && describeSlowed(options.slowed)]
          .filter(Boolean)
          .join(' ')}
      </FigureAnswer>
      <p class="note toys">
        {name !== 'none' && describeSwapped(name)} Toys with one layer, trained once each; ALiBi’s is the best of three.
        They show what an encoding allows, and rank nothing.
      </p>
    </div>
  );
}

export const Adders = ({ view, change }: Controlled) => (
  <Choices
    class="row"
    label="The model’s encoding"
    options={Object.fromEntries(ADDERS.map((name) => [name, ADDER_WORDS[name].label]))}
    value={view.adder}
    onChoose={(adder) => change({ adder: adder as View['adder'] }, true)}
  />
);
