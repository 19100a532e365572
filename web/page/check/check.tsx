import './check.css';
import type { Match } from 'posenc/identify';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Head } from '../../figure/components.tsx';
import { loadFamilies } from '../../figure/index.ts';
import type { Shown } from '../component.tsx';
import { FilePicker, TensorChoice } from '../files/files.tsx';
import { FILE_FORMATS } from '../files/tensors.ts';
import { useHolder, useHolders } from '../holder.ts';
import type { Context, View } from '../types.ts';
import { callWorker, standsStill } from './client.ts';
import { config } from './config.ts';
import { Details } from './details.tsx';
import { EXAMPLES } from './examples.ts';
import type { Finding } from './finding.ts';
import { createReading, type GivenTable } from './reading.ts';

interface Found {
  table: GivenTable;
  matches: Match[];
  labels: string[];
  none: string;
  /** Of the first match. */
  finding?: Finding;
}

async function search(table: GivenTable): Promise<Found> {
  const [answer] = await Promise.all([callWorker('name', table, true), loadFamilies()]);
  const [first] = answer.matches;
  if (!first) return { table: table, ...answer };
  const models = 'scaling' in first.spec ? (await import('./beside.ts')).findModels(first) : [];
  return { table: table, ...answer, finding: await callWorker('find', first, table, models) };
}

/** Live-region text, written again after every render. */
function Message({ text, ...rest }: { text: string; class: string; role: 'status' | 'alert' }) {
  const message = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (message.current!.textContent !== text) message.current!.textContent = text;
  });
  return <p ref={message} {...rest} />;
}

function TableInput({ reading }: { reading: ReturnType<typeof createReading> }) {
  const { text, elsewhere, typed, problem, summary } = reading;
  useHolders(text, elsewhere, typed, problem, summary, standsStill);
  return (
    <div class="mine">
      <label for="mine">Your table, one row per position</label>
      <textarea
        id="mine"
        rows={10}
        wrap="off"
        placeholder={
          elsewhere.value
            ? `${elsewhere.value}\n\nPaste here to compare another.`
            : 'tensor([[ 0.0000,  1.0000,  0.0000,  1.0000,  …'
        }
        spellcheck={false}
        autocomplete="off"
        aria-describedby="mine-kinds"
        aria-invalid={typed.value && problem.value !== ''}
        value={text.value}
        onInput={({ currentTarget, inputType = '' }: { currentTarget: HTMLTextAreaElement; inputType?: string }) =>
          reading.onInput(currentTarget.value, /^(insertText|insertLine|delete)/.test(inputType))
        }
        onPaste={reading.onPaste}
      />
      <p class="caption formats" id="mine-kinds">
        {FILE_FORMATS}. Paste it, or open or drop a file.
      </p>
      <div class="row">
        <FilePicker label="A table" onFile={reading.open} />
        {Object.entries({ tutorial: 'Example: PyTorch tutorial', slip: 'Example: a common bug' }).map(
          ([name, label]) => (
            <button key={name} type="button" value={name} onClick={() => reading.fill(EXAMPLES[name]())}>
              {label}
            </button>
          ),
        )}
      </div>
      <TensorChoice id="mine-tensor" reader={reading} />
      <div class="came-of-it">
        <Message class="summary note" role="status" text={summary.value} />
        <Message class="error" role="alert" text={problem.value} />
        {standsStill.value && (
          <p class="note">No worker can be started here, so the page stands still while it compares.</p>
        )}
      </div>
    </div>
  );
}

function BesideConfig({ table, pending }: { table: GivenTable } & Pick<Context, 'pending'>) {
  useHolders(config);
  const file = config.value;
  const compared = useHolder<{ table: GivenTable; file: typeof file; sentences: string[] } | undefined>(undefined);
  useLayoutEffect(() => {
    const compare = async () => {
      if (!file) return;
      const { namedGroups } = await import('./beside.ts');
      const sentences = await callWorker('compare', table, namedGroups(file.config, file.options)).catch(
        ({ message }) => [message],
      );
      compared.value = { table: table, file, sentences };
    };
    pending.until(compare());
  }, [table, file]);
  const { value } = compared;
  if (!file || value?.file !== file || value.table !== table) return null;
  return (
    <ul class="config" aria-label="Compared with the config.json">
      {value.sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Identifies the encoding of a pasted or opened table, its bugs, and the correct code. */
export function Figure({ context: { change, pending } }: Shown) {
  const result = useHolder<Found | undefined>(undefined);
  const chosen = useHolder(0);
  const finding = useHolder<Finding | undefined>(undefined);
  const language = useHolder<View['language']>('pytorch');
  const [reading] = useState(() => {
    const set = (next?: Found) => {
      chosen.value = 0;
      result.value = next;
      finding.value = next?.finding;
    };
    return createReading({
      pending,
      recognizes: async (probe) => (await callWorker('name', probe, false)).matches.length > 0,
      async onTable(table, outdated) {
        const next = await search(table);
        if (!outdated()) set(next);
      },
      onNone: set,
    });
  });
  useHolders(reading.busy);
  const { table, matches = [], labels = [], none } = result.value ?? {};
  const [first] = matches;
  const choose = async (k: number) => {
    const answer = result.value as Found;
    const isLatest = () => result.value === answer && chosen.value === k;
    chosen.value = k;
    try {
      const next = k ? await callWorker('find', matches[k], table!) : answer.finding;
      if (isLatest()) finding.value = next;
    } catch (error) {
      if (isLatest()) reading.problem.value = (error as Error).message;
    }
  };

  return (
    <>
      <div class="ask">
        <Head id="check" title="Check your table" />
        <p class="caption">
          Paste a table from your code. It is compared with every encoding here, at any base, first position and scale,
          and with common bugs.
        </p>
        <TableInput reading={reading} />
      </div>
      <div class={finding.value ? 'findings' : 'findings empty placeholder'} aria-busy={reading.busy.value}>
        {!table && <p class="nothing yet">The encoding of your table, and the cells that differ, appear here.</p>}
        <p class="nothing note known" role="status">
          {!first && none}
        </p>
        {table && <BesideConfig table={table} pending={pending} />}
        <p class="verdict" role="status">
          {finding.value?.verdict}
        </p>
        {finding.value && <p class="agreement note">{finding.value.agreement}</p>}
        {first && (
          <fieldset class="matches radios" hidden={matches.length < 2}>
            <legend>
              {first.agree < first.cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with'}
            </legend>
            {matches.map((match, k) => (
              <label key={match}>
                <input
                  type="radio"
                  name="match"
                  checked={k === chosen.value}
                  onChange={() => pending.until(choose(k))}
                />
                {labels[k]}
              </label>
            ))}
          </fieldset>
        )}
        {finding.value && <Details finding={finding.value} table={table!} language={language} change={change} />}
      </div>
    </>
  );
}
