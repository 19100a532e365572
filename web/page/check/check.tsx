import './check.css';
import type { Match } from 'posenc/identify';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Head, useLatest } from '../../figure/components.tsx';
import type { Shown } from '../component.tsx';
import { FilePicker, TensorChoice } from '../files/files.tsx';
import { FILE_FORMATS } from '../files/tensors.ts';
import type { Context, View } from '../types.ts';
import { callWorker, standsStill } from './client.ts';
import { useConfig } from './config.ts';
import { Details } from './details.tsx';
import { EXAMPLES } from './examples.ts';
import type { Finding } from './finding.ts';
import { createReading, type GivenTable, NOTHING_READ, type ReadingState } from './reading.ts';

interface Found {
  table: GivenTable;
  matches: Match[];
  labels: string[];
  none: string;
  /** Of the first match. */
  finding?: Finding;
}

async function search(table: GivenTable): Promise<Found> {
  const answer = await callWorker('name', table, true);
  const [first] = answer.matches;
  if (!first) return { table, ...answer };
  const models = 'scaling' in first.spec ? (await import('./beside.ts')).findModels(first) : [];
  return { table, ...answer, finding: await callWorker('find', first, table, models) };
}

/** Live-region text, written again after every render. */
function Message({ text, ...rest }: { text: string; class: string; role: 'status' | 'alert' }) {
  const message = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (message.current!.textContent !== text) message.current!.textContent = text;
  });
  return <p ref={message} {...rest} />;
}

function TableInput({ reading, state }: { reading: ReturnType<typeof createReading>; state: ReadingState }) {
  const { text, elsewhere, typed, problem, summary, offer } = state;
  return (
    <div class="mine">
      <label for="mine">Your table, one row per position</label>
      <textarea
        id="mine"
        rows={10}
        wrap="off"
        placeholder={
          elsewhere
            ? `${elsewhere}\n\nPaste here to compare another.`
            : 'tensor([[ 0.0000,  1.0000,  0.0000,  1.0000,  …'
        }
        spellcheck={false}
        autocomplete="off"
        aria-describedby="mine-kinds"
        aria-invalid={typed && problem !== ''}
        value={text}
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
      <TensorChoice id="mine-tensor" offer={offer} onChoose={reading.choose} />
      <div class="came-of-it">
        <Message class="summary note" role="status" text={summary} />
        <Message class="error" role="alert" text={problem} />
        {standsStill && <p class="note">No worker can be started here, so the page stands still while it compares.</p>}
      </div>
    </div>
  );
}

function BesideConfig({ table, pending }: { table: GivenTable } & Pick<Context, 'pending'>) {
  const file = useConfig();
  const [compared, setCompared] = useState<{ table: GivenTable; file: typeof file; sentences: string[] }>();
  useLayoutEffect(() => {
    const compare = async () => {
      if (!file) return;
      const { namedGroups } = await import('./beside.ts');
      const sentences = await callWorker('compare', table, namedGroups(file.config, file.options)).catch(
        ({ message }) => [message],
      );
      setCompared({ table, file, sentences });
    };
    pending.until(compare());
  }, [table, file]);
  if (!file || compared?.file !== file || compared.table !== table) return null;
  return (
    <ul class="config" aria-label="Compared with the config.json">
      {compared.sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Identifies the encoding of a pasted or opened table, its bugs, and the correct code. */
export function Figure({ context: { change, pending } }: Shown) {
  const [state, setState] = useState(NOTHING_READ);
  const show = (patch: Partial<ReadingState>) => setState((before) => ({ ...before, ...patch }));
  /** What is found, and which of its matches is chosen, with its finding once there is one. */
  const [answer, setAnswer] = useState<{ found?: Found; chosen: number; finding?: Finding }>({ chosen: 0 });
  const latest = useLatest(answer);
  const [language, setLanguage] = useState<View['language']>('pytorch');
  const [reading] = useState(() =>
    createReading({
      pending,
      show,
      async onTable(table, outdated) {
        const found = await search(table);
        if (!outdated()) setAnswer({ found, chosen: 0, finding: found.finding });
      },
      onNone: () => setAnswer({ chosen: 0 }),
    }),
  );
  const { found, chosen, finding } = answer;
  const { table, matches = [], labels = [], none } = found ?? {};
  const [first] = matches;
  const choose = async (k: number) => {
    const next = { ...answer, chosen: k, finding: k ? finding : found?.finding };
    setAnswer(next);
    if (!k) return;
    try {
      const finding = await callWorker('find', matches[k], table!);
      if (latest.current === next) setAnswer({ ...next, finding });
    } catch (error) {
      if (latest.current === next) show({ problem: (error as Error).message });
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
        <TableInput reading={reading} state={state} />
      </div>
      <div class={finding ? 'findings' : 'findings empty placeholder'} aria-busy={state.busy}>
        {!table && <p class="nothing yet">The encoding of your table, and the cells that differ, appear here.</p>}
        <p class="nothing note known" role="status">
          {!first && none}
        </p>
        {table && <BesideConfig table={table} pending={pending} />}
        <p class="verdict" role="status">
          {finding?.verdict}
        </p>
        {finding && <p class="agreement note">{finding.agreement}</p>}
        {first && (
          <fieldset class="matches radios" hidden={matches.length < 2}>
            <legend>
              {first.agree < first.cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with'}
            </legend>
            {matches.map((match, k) => (
              <label key={match}>
                <input type="radio" name="match" checked={k === chosen} onChange={() => pending.until(choose(k))} />
                {labels[k]}
              </label>
            ))}
          </fieldset>
        )}
        {finding && <Details table={table!} {...{ finding, language, setLanguage, change }} />}
      </div>
    </>
  );
}
